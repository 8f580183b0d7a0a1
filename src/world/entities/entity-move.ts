import { decodeUtf8 } from '../../content/frontmatter/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { conflict } from '../../kit/errors.ts';
import { type FileStat, FilesError } from '../../platform/files/files.ts';
import { ifGone } from '../../platform/files/if-gone.ts';
import {
  buryFiles,
  changeEntities,
  type EntityRow,
  type FileRow,
  findEntityRow,
  findFiles,
  findFilesBelow,
  type Project,
  putEntities,
  putFiles,
  type RecordsDb,
  recordOf,
  takeSequence,
  touchAssetsIn,
} from '../records/index.ts';
import type { EntityState, FileRecord } from '../texts/index.ts';
import { type Origin, overtaken } from './entity-commit.ts';
import { entityFileRecord, refuseUnreadable } from './entity-files.ts';
import { readable, stateOf } from './entity-text.ts';
import type { MovePlaces } from './move-places.ts';

/** Returns the present path of the file: an interrupted move has left it at a later stage. */
export async function presentStage(project: Project, { stages }: MovePlaces): Promise<string> {
  for (const path of stages) if ((await project.files.stat(path)) !== undefined) return path;
  throw conflict(`${stages[0]} is gone from the folder: run a sync, then restore it from the recycle bin`, {
    code: 'file_missing',
  });
}

export interface MoveOptions {
  actor: string | null;
  changed: string[];
  origin: Origin;
  now(): string;
}

export interface Move {
  row: EntityRow;
  toId: string;
  places: MovePlaces;
  text?: string;
}

/**
 * Moves an entity to another place, under the same or another id: folder, file, text, and rows with their history. Continues an
 * interrupted attempt; on failure everything goes back. The caller holds the locks of both ids and of the project's sync, which
 * would take a moving folder for a deleted one. 409 if the new place is taken, 422 for a text of another entity.
 */
export async function moveEntity(
  project: Project,
  template: TemplateDefinition,
  { row, toId, places, text }: Move,
  options: MoveOptions,
): Promise<EntityRow> {
  const path = places.stages[2];
  const place = { path, entity_id: toId };
  const given = text === undefined ? undefined : stateAt(project, template, place, Buffer.from(text));
  const back: (() => Promise<unknown>)[] = [];
  try {
    await moveFiles(project, places, back);
    // The stat comes before the bytes, so that the next sync notices a concurrent edit.
    const found = await project.files.stat(path);
    if (found === undefined) throw overtaken(row);
    const old = await project.files.read(path);
    const state = given ?? stateAt(project, template, place, old);
    if (text !== undefined) back.push(() => putBack(project, path, old, text));
    const stat = text === undefined ? found : await project.files.write(path, text, { onlyOver: old });
    return await commitMove(project, { row, state, places, stat }, options);
  } catch (error) {
    await goBack(back);
    throw error;
  }
}

/** 413 or 422 if the bytes are not the entity at the new place. */
function stateAt(
  project: Project,
  template: TemplateDefinition,
  place: { path: string; entity_id: string },
  bytes: Uint8Array,
): EntityState {
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) throw refuseUnreadable(place.path, decoded.problem);
  return stateOf(project, template, place, readable(project, decoded.text));
}

/** Undoes the steps until one fails: the next attempt finds the files at the stage they reached. */
async function goBack(back: (() => Promise<unknown>)[]): Promise<void> {
  try {
    for (const undo of back.reverse()) await undo();
  } catch {
    // The original error is the one to report.
  }
}

/** Restores the old text if the new one was written; text from another writer stays. */
async function putBack(project: Project, path: string, old: Uint8Array, text: string): Promise<void> {
  await project.files.write(path, old, { onlyOver: Buffer.from(text) }).catch((error: unknown) => {
    if (!(error instanceof FilesError && error.code === 'changed')) throw error;
  });
}

async function moveFiles(
  project: Project,
  places: MovePlaces,
  back: (() => Promise<unknown>)[],
): Promise<void> {
  const { oldFolder, newFolder, stages, isWhole } = places;
  const [before, between, after] = stages;
  const move = async (from: string, to: string) => {
    if (from === to) return;
    // An error of the last sync may leave the file under its new name.
    back.push(() => project.files.move(to, from).catch(ifGone));
    await project.files.move(from, to);
  };
  const present = await presentStage(project, places);
  if (present === before && isWhole) await move(oldFolder, newFolder);
  if (present !== after) await move(between, after);
}

interface Moved {
  row: EntityRow;
  state: EntityState;
  places: MovePlaces;
  stat: FileStat;
}

/** The row keeps its id and with it its revisions; every file below the folder gets its new path. */
function commitMove(
  project: Project,
  { row, state, places, stat }: Moved,
  { actor, changed, origin, now }: MoveOptions,
): Promise<EntityRow> {
  const { dialect } = project.database;
  return changeEntities(project, async (transaction) => {
    const { db } = transaction;
    const seq = await takeSequence(db, project, 1);
    const current = await findEntityRow(db, project, row.entity_type, row.entity_id);
    if (current?.row_id !== row.row_id || current.version !== row.version) throw overtaken(row);
    const at = now();
    const stamp = {
      version: row.version + 1,
      created_at: row.created_at,
      updated_at: at,
      updated_by: actor,
      source: origin.source,
      operation_id: origin.operation_id,
    };
    const [moved] = await putEntities(transaction, [{ state, previous: row, changed, stamp }], seq);
    if (moved === undefined) throw new Error('putEntities returned no row');
    const { gone, records } = await moveRecords(db, project, { row, state, places, stat });
    const firstSeq = await takeSequence(db, project, gone.length + records.length);
    await buryFiles(db, dialect, gone, { firstSeq, at });
    const paths = records.map((record) => record.path);
    const before = await findFiles(db, project, paths);
    await putFiles(db, dialect, project, records, { before, firstSeq: firstSeq + gone.length, at });
    if (!places.isWhole)
      await touchAssetsIn(db, dialect, project, [...new Set([places.oldFolder, places.newFolder])]);
    await origin.also(db, moved.row);
    return moved.row;
  });
}

async function moveRecords(db: RecordsDb, project: Project, { state, places, stat }: Moved) {
  const { oldFolder, stages, isWhole } = places;
  const below = await findFilesBelow(db, project, oldFolder);
  const gone = isWhole ? below : below.filter(({ path }) => path === stages[0]);
  const others = gone.filter(({ path }) => path !== stages[0] && path !== state.path);
  const main = entityFileRecord(stat, state.file_checksum, state);
  return {
    gone: gone.filter(({ path }) => path !== state.path),
    records: [main, ...others.map((file) => movedRecord(file, places))],
  };
}

const movedRecord = (file: FileRow, { oldFolder, newFolder }: MovePlaces): FileRecord => ({
  ...recordOf(file),
  path: newFolder + file.path.slice(oldFolder.length),
  // The folder's name says which entity owns a file.
  entity_id: file.entity_id === null ? null : newFolder.slice(newFolder.lastIndexOf('/') + 1),
});
