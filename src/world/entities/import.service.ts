import { setImmediate as turn } from 'node:timers/promises';
import { newId } from '../../kit/ids.ts';
import {
  buryFiles,
  changeEntities,
  deleteRecycleItem,
  type EntityName,
  type EntityRow,
  type EntityWrite,
  type FileRow,
  findEntityRows,
  findFiles,
  insertRecycleItem,
  noteValidity,
  type Project,
  putEntities,
  putFiles,
  type RecordsDb,
  removeEntities,
  rerenderEntities,
  storedFileText,
  storeFaults,
  takeSequence,
  touchAssetsIn,
} from '../records/index.ts';
import { type ChangeSource, folderNameOf, type ImportItem } from '../texts/index.ts';
import {
  type FileImportPlan,
  type ImportOutcome,
  isRightful,
  type KnownState,
  keyOf,
  nameOf,
  planFileImport,
} from './file-import-plan.ts';
import { recycleFolderOf, recycleRowOf } from './recycle-item.ts';
import { findReturned } from './recycle-return.ts';

export type { ImportOutcome } from './file-import-plan.ts';

export interface ImportOptions {
  now(): string;
  source: ChangeSource;
  /** The last sequence number visible before the files were read; rows changed later win. */
  seenSeq: number;
  /** True to store replies again for unchanged files because their template changed. */
  rerender: boolean;
  resolvesIds: boolean;
  /** Paths that are gone from the folder but still have rows. */
  gone: ReadonlySet<string>;
}

/** Entities of a transaction after which other work gets a turn. */
const PART = 120;

/** The only way in for changes made outside; one transaction. An unchanged file costs only its file row; an unreadable one is recorded. */
export async function importFiles(
  project: Project,
  items: readonly ImportItem[],
  options: ImportOptions,
): Promise<ImportOutcome> {
  const returned = await findReturned(
    project,
    items.flatMap(({ state }) => state ?? []),
  );
  // A first import can be read from the files again, so its many commits need not wait for the disk.
  const durable = options.source !== 'import';
  return changeEntities(
    project,
    async (transaction) => {
      const { db } = transaction;
      const { dialect } = project.database;
      const { source, seenSeq, rerender, resolvesIds } = options;
      const firstSeq = await takeSequence(db, project, items.length * 3);
      const { elsewhere, ...found } = await lookUp(db, project, items, options.gone);
      const known = { ...found, returned };
      const plan = planFileImport(items, known, {
        source,
        seenSeq,
        rerender,
        resolvesIds,
      });
      for (const [at, part] of partsOf(plan.writes)) {
        await putEntities(transaction, part, firstSeq + at);
        await turn();
      }
      for (const { item_id } of plan.returned) await deleteRecycleItem(db, project, item_id);
      for (const [, part] of partsOf(plan.rerenders)) {
        await rerenderEntities(db, dialect, project, part);
        await turn();
      }
      for (const [, part] of partsOf(plan.faults)) {
        await storeFaults(db, dialect, part);
        await turn();
      }
      noteValidity(
        transaction,
        [...plan.faults.flatMap(({ row, isNew }) => (isNew ? row : [])), ...plan.recovered],
        firstSeq + plan.writes.length,
      );
      if (plan.records.length > 0) {
        await putFiles(db, dialect, project, plan.records, {
          before: known.before,
          firstSeq: firstSeq + items.length,
          at: options.now(),
        });
      }
      await buryFiles(db, dialect, leftFiles(plan, elsewhere, options.gone), {
        firstSeq: firstSeq + items.length * 2,
        at: options.now(),
      });
      const strays = plan.writes.filter(ownsUnderAnotherId).map(({ state }) => state);
      await touchAssetsIn(db, dialect, project, strays.map(folderOf));
      return plan.outcome;
    },
    { durable },
  );
}

/**
 * Former paths of moved entities, reported as gone with the move: an unchanged file that came back a moment later would look known
 * although its entity follows the other file.
 */
function leftFiles(
  { writes }: FileImportPlan,
  elsewhere: ReadonlyMap<string, FileRow>,
  gone: ReadonlySet<string>,
): FileRow[] {
  const rows = writes.flatMap(({ state, previous }) =>
    previous && previous.path !== state.path && gone.has(previous.path)
      ? (elsewhere.get(previous.path) ?? [])
      : [],
  );
  return rows.filter(({ deleted_at }) => deleted_at === null);
}

function* partsOf<Item>(items: readonly Item[]): Iterable<[number, Item[]]> {
  for (let at = 0; at < items.length; at += PART) yield [at, items.slice(at, at + PART)];
}

/** Assets in an entity's folder belong to the entity of its name, unless the entity there has another id. */
const ownsUnderAnotherId = ({ state, previous }: EntityWrite): boolean =>
  previous === null ? !isRightful(state) : previous.entity_id !== state.entity_id;

const folderOf = ({ path }: { path: string }): string => path.slice(0, path.lastIndexOf('/'));

async function lookUp(
  db: RecordsDb,
  project: Project,
  items: readonly ImportItem[],
  gone: ReadonlySet<string>,
): Promise<Omit<KnownState, 'returned'> & { elsewhere: Map<string, FileRow> }> {
  const own = items.map((item) => item.record.path);
  const before = await findFiles(db, project, own);
  const rows = await findRows(db, project, items, before);
  const others = [...rows.values()].map((row) => row.path).filter((path) => !before.has(path));
  const elsewhere = await findFiles(db, project, others);
  const live = [...elsewhere.values()].filter((row) => row.deleted_at === null && !gone.has(row.path));
  return { before, elsewhere, rows, livePaths: new Set([...own, ...live.map((row) => row.path)]) };
}

async function findRows(
  db: RecordsDb,
  project: Project,
  items: readonly ImportItem[],
  before: ReadonlyMap<string, FileRow>,
): Promise<Map<string, EntityRow>> {
  const wanted = new Map<string, Set<string>>();
  const want = (type: string | null, id: string | null) => {
    if (type === null || id === null) return;
    const ids = wanted.get(type) ?? new Set();
    wanted.set(type, ids.add(id));
  };
  for (const { record, state } of items) {
    if (state) want(state.entity_type, state.entity_id);
    const known = before.get(record.path);
    if (known?.entry_type === 'markdown') want(known.entity_type, known.entity_id);
  }
  const rows = new Map<string, EntityRow>();
  for (const [type, ids] of wanted) {
    for (const row of await findEntityRows(db, project, type, [...ids])) {
      rows.set(keyOf(type, row.entity_id), row);
    }
  }
  return rows;
}

export interface Deletions {
  vanished: readonly string[];
  orphans: readonly EntityRow[];
}

export interface DeletionOptions {
  now(): string;
  seenSeq: number;
  /** Folders in the recycle bin, so that an interrupted deletion finds its folder. */
  recycledFolders: ReadonlySet<string>;
}

/**
 * Moves the entities of vanished files to the recycle bin with their last known text, and leaves tombstones. Files that came back
 * meanwhile (a newer sequence number) stay. Resolves to the entities.
 */
export const followDeletions = (
  project: Project,
  { vanished, orphans }: Deletions,
  options: DeletionOptions,
): Promise<EntityName[]> =>
  changeEntities(project, async (transaction) => {
    const { db } = transaction;
    const { dialect } = project.database;
    const firstSeq = await takeSequence(db, project, vanished.length + 1);
    const found = await findFiles(db, project, vanished);
    const gone = [...found.values()].filter((row) => row.deleted_at === null && row.seq <= options.seenSeq);
    const removed = [...(await entitiesOf(db, project, gone)), ...(await stillThere(db, project, orphans))];
    const at = options.now();
    for (const row of removed) {
      const folder = recycleFolderOf(row);
      const item = recycleRowOf(row, {
        itemId: newId(),
        folder: options.recycledFolders.has(folder) ? folder : null,
        content: (await storedFileText(db, row.row_id)) ?? '',
        at,
        actor: null,
      });
      await insertRecycleItem(db, item);
    }
    await removeEntities(transaction, removed, null);
    await buryFiles(db, dialect, gone, { firstSeq, at });
    const strays = removed.filter(({ path, entity_id }) => folderNameOf(path) !== entity_id);
    await touchAssetsIn(db, dialect, project, strays.map(folderOf));
    return removed.map(nameOf);
  });

export async function entitiesOf(
  db: RecordsDb,
  project: Project,
  files: readonly FileRow[],
): Promise<EntityRow[]> {
  const byType = new Map<string, string[]>();
  for (const { entry_type, entity_type, entity_id } of files) {
    if (entry_type !== 'markdown' || entity_type === null || entity_id === null) continue;
    byType.set(entity_type, [...(byType.get(entity_type) ?? []), entity_id]);
  }
  const paths = new Set(files.map((file) => file.path));
  const rows: EntityRow[] = [];
  for (const [type, ids] of byType) {
    for (const row of await findEntityRows(db, project, type, ids)) if (paths.has(row.path)) rows.push(row);
  }
  return rows;
}

async function stillThere(db: RecordsDb, project: Project, rows: readonly EntityRow[]): Promise<EntityRow[]> {
  const found: EntityRow[] = [];
  for (const { entity_type, entity_id, row_id, version } of rows) {
    const [row] = await findEntityRows(db, project, entity_type, [entity_id]);
    if (row?.row_id === row_id && row.version === version) found.push(row);
  }
  return found;
}
