import { type Clock, isoTime } from '../../kit/clock.ts';
import { partsOf } from '../../kit/parts.ts';
import type { FileScanner } from '../../platform/files/files.ts';
import type { Renames } from '../changesets/index.ts';
import type { TemplateSet } from '../definitions/index.ts';
import { followDeletions } from '../entities/index.ts';
import { importBatch } from '../mirror/index.ts';
import { findEntityRow, lastSequence, type Project, pages, type RecordsDb } from '../records/index.ts';
import { readContent } from '../scan/index.ts';
import type { ImportItem } from '../texts/index.ts';
import { deleteDocuments, forgetRecycledFolder, pageOfEntities, replaceCounts } from './doctor.store.ts';
import { countEntities, type EntitySummary } from './entity-summary.ts';
import type { DoctorFinding, Repair } from './finding.ts';
import { renameEntity } from './rename-entity.ts';

export interface RepairTools {
  project: Project;
  scanner: FileScanner;
  set: TemplateSet;
  clock: Clock;
  renames: Renames;
  sync(): Promise<unknown>;
  reloadTemplates(): Promise<unknown>;
  /** Receives the error of a failed repair; the others go on. */
  onFailure(path: string, error: unknown): void;
}

type Of<Kind extends Repair['kind']> = Extract<Repair, { kind: Kind }>;

/** Makes the repairs of the findings; the next examination finds faults that are left. */
export async function repairProject(tools: RepairTools, findings: readonly DoctorFinding[]): Promise<void> {
  const repairs = findings.flatMap(({ repair }) => repair ?? []);
  const of = <Kind extends Repair['kind']>(kind: Kind): Of<Kind>[] =>
    repairs.filter((repair): repair is Of<Kind> => repair.kind === kind);
  const { project } = tools;
  if (of('templates').length > 0) await tools.reloadTemplates();
  await tools.sync();
  for (const { path } of of('rename')) await rename(tools, path);
  await reread(
    tools,
    of('reread').map(({ path }) => path),
  );
  await recycle(tools, of('recycle'));
  await project.database.write(async (db: RecordsDb) => {
    const ids = (kind: 'unindex' | 'forget_documents') => of(kind).flatMap((repair) => repair.rowIds);
    await project.database.dialect.fullText.remove(db, ids('unindex'));
    for (const rowIds of partsOf(ids('forget_documents'), CHUNK)) await deleteDocuments(db, rowIds);
    for (const { itemId } of of('forget_folder')) await forgetRecycledFolder(db, project, itemId);
  });
  if (of('rename').length > 0) await tools.sync();
  await recount(project);
}

const CHUNK = 500;

const mainFiles = function* (tools: RepairTools, paths: readonly string[]): Generator<ImportItem[]> {
  const { scanner, set, project } = tools;
  const wanted = new Set(paths);
  for (const under of partsOf(paths, CHUNK)) {
    for (const items of readContent({ scanner, set, largestText: project.largestText, under })) {
      yield items.filter(({ record }) => wanted.has(record.path));
    }
  }
};

/** Imports files again despite an unchanged stat, and always renders their rows. */
async function reread(tools: RepairTools, paths: readonly string[]): Promise<void> {
  const { project, clock } = tools;
  const seenSeq = await project.database.read((db: RecordsDb) => lastSequence(db, project));
  for (const items of mainFiles(tools, paths)) {
    const options = {
      now: () => isoTime(clock.now()),
      source: 'file',
      seenSeq,
      rerender: true,
      resolvesIds: true,
      gone: new Set<string>(),
    } as const;
    await importBatch(project, items, options, {
      done: () => {},
      refused: (item, reason) => tools.onFailure(item.record.path, reason),
    });
  }
}

async function rename(tools: RepairTools, path: string): Promise<void> {
  for (const items of mainFiles(tools, [path])) {
    for (const { state } of items) {
      if (state) await renameEntity(tools, state).catch((error: unknown) => tools.onFailure(path, error));
    }
  }
}

const MOST_RECYCLED = 50;

/** Like a sync, this refuses many deletions at once: they are no bookkeeping error, and a person must decide. */
async function recycle({ project, clock }: RepairTools, repairs: readonly Of<'recycle'>[]): Promise<void> {
  if (repairs.length > MOST_RECYCLED) return;
  const rows = [];
  for (const { entityType, entityId, rowId } of repairs) {
    const row = await project.database.read((db: RecordsDb) =>
      findEntityRow(db, project, entityType, entityId),
    );
    if (row?.row_id === rowId && (await project.files.stat(row.path)) === undefined) rows.push(row);
  }
  if (rows.length === 0) return;
  const options = { now: () => isoTime(clock.now()), seenSeq: 0, recycledFolders: new Set<string>() };
  await followDeletions(project, { vanished: [], orphans: rows }, options);
}

async function recount(project: Project): Promise<void> {
  await project.database.write(async (db: RecordsDb) => {
    const entities: EntitySummary[] = [];
    const readPage = (after: number, limit: number) => pageOfEntities(db, project, after, limit);
    for await (const rows of pages(0, readPage, (row) => row.row_id)) entities.push(...rows);
    await replaceCounts(db, project, countEntities(entities));
  });
}
