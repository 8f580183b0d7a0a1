import { fitsLimit } from '../../content/plans.ts';
import { newId } from '../../kit/ids.ts';
import { countTenantEntities } from '../records/counts.store.ts';
import {
  type EntityWrite,
  findEntityRows,
  putEntities,
  removeEntities,
  rerenderEntities,
  storedFileText,
} from '../records/entity-rows.store.ts';
import { buryFiles, type FileRecord, type FileRow, findFiles, putFiles } from '../records/files.store.ts';
import type { ChangeSource, EntityRow, RecordsDb } from '../records/records.tables.ts';
import { insertRecycleItem } from '../records/recycle.store.ts';
import { type EntityState, folderNameOf } from '../records/render.ts';
import type { Project } from '../records/scope.ts';
import { takeSequence } from '../records/sequence.store.ts';
import { recycleFolderOf, recycleRowOf } from './recycle-item.ts';

/** One file as it was read from the folder. `state` is null for what is no readable entity. */
export interface ImportItem {
  record: FileRecord;
  state: EntityState | null;
  /** When the file was last changed, ISO. */
  modifiedAt: string;
}

export interface ImportOptions {
  /** Now, ISO. */
  at: string;
  source: ChangeSource;
  /** The last sequence number that was visible before the files were read; rows that changed since win. */
  seenSeq: number;
  /** Entities a tenant may have; -1 for any number. */
  entitiesLimit: number;
  /** Store replies anew although the files are the same: their template changed. */
  rerender: boolean;
}

export interface ChangedEntity {
  entity_type: string;
  entity_id: string;
  action: 'create' | 'update' | 'delete';
  updated_fields: string[];
}

export interface ImportOutcome {
  created: number;
  updated: number;
  unchanged: number;
  problems: { path: string; reason: string; line: number; column: number }[];
  changes: ChangedEntity[];
  /** Paths that somebody changed while they were read: to be read again. */
  stale: string[];
}

type Decision =
  | { kind: 'create' }
  | { kind: 'update' | 'same'; row: EntityRow }
  | { kind: 'refuse'; reason: string };

const keyOf = (entityType: string, entityId: string): string => `${entityType}/${entityId}`;

async function rowsOf(
  db: RecordsDb,
  project: Project,
  items: readonly ImportItem[],
  before: Map<string, FileRow>,
) {
  const wanted = new Map<string, Set<string>>();
  const want = (type: string | null, id: string | null) => {
    if (type === null || id === null) return;
    const ids = wanted.get(type) ?? new Set();
    wanted.set(type, ids.add(id));
  };
  for (const { record, state } of items) {
    if (state) want(state.entity_type, state.entity_id);
    const known = before.get(record.path);
    if (known) want(known.entity_type, known.entity_id);
  }
  const byKey = new Map<string, EntityRow>();
  for (const [type, ids] of wanted) {
    for (const row of await findEntityRows(db, project, type, [...ids]))
      byKey.set(keyOf(type, row.entity_id), row);
  }
  return byKey;
}

/** The row that a file mirrored before under another id, if its id was changed in the file. */
function formerRow(item: ImportItem, before: Map<string, FileRow>, rows: Map<string, EntityRow>) {
  const known = before.get(item.record.path);
  if (!known?.entity_type || !known.entity_id) return undefined;
  const row = rows.get(keyOf(known.entity_type, known.entity_id));
  return row?.path === item.record.path ? row : undefined;
}

function decide(
  state: EntityState,
  item: ImportItem,
  rows: Map<string, EntityRow>,
  before: Map<string, FileRow>,
  livePaths: ReadonlySet<string>,
): Decision {
  const row = rows.get(keyOf(state.entity_type, state.entity_id)) ?? formerRow(item, before, rows);
  if (row === undefined) return { kind: 'create' };
  const elsewhere = row.path !== state.path && livePaths.has(row.path);
  if (elsewhere && folderNameOf(state.path) !== state.entity_id) {
    return { kind: 'refuse', reason: `the id '${state.entity_id}' belongs to ${row.path} already` };
  }
  const same = row.path === state.path && row.file_checksum === state.file_checksum;
  return { kind: same ? 'same' : 'update', row };
}

const writeOf = (
  state: EntityState,
  item: ImportItem,
  row: EntityRow | null,
  options: ImportOptions,
): EntityWrite => ({
  state,
  previous: row,
  changed: [],
  stamp: {
    version: (row?.version ?? 0) + 1,
    created_at: row?.created_at ?? state.created_at ?? item.modifiedAt,
    updated_at: item.modifiedAt,
    updated_by: null,
    source: options.source,
  },
});

/** Whoever lies in the folder of its own id claims it before others do. */
const rightfulFirst = (items: readonly ImportItem[]): ImportItem[] => {
  const isRightful = ({ state }: ImportItem) =>
    state === null || folderNameOf(state.path) === state.entity_id;
  return [...items.filter(isRightful), ...items.filter((item) => !isRightful(item))];
};

/**
 * Takes files as they were read into the database, in one transaction: the one way in for whatever was changed
 * outside. What is unchanged costs its file row alone; a file that cannot be read is noted and its entity stays.
 */
export const importFiles = (
  project: Project,
  items: readonly ImportItem[],
  options: ImportOptions,
): Promise<ImportOutcome> =>
  project.database.write(async (db: RecordsDb) => {
    const outcome: ImportOutcome = {
      created: 0,
      updated: 0,
      unchanged: 0,
      problems: [],
      changes: [],
      stale: [],
    };
    const firstSeq = await takeSequence(db, project, items.length * 2);
    const before = await findFiles(
      db,
      project,
      items.map((item) => item.record.path),
    );
    const fresh = rightfulFirst(items).filter(({ record }) => {
      const known = before.get(record.path);
      if (known === undefined || known.seq <= options.seenSeq || known.sha256 === record.sha256) return true;
      outcome.stale.push(record.path);
      return false;
    });
    const rows = await rowsOf(db, project, fresh, before);
    const livePaths = await otherLivePaths(db, project, fresh, rows);
    let room =
      options.entitiesLimit < 0
        ? -1
        : options.entitiesLimit - (await countTenantEntities(db, project.tenantId));
    const writes: EntityWrite[] = [];
    const rerenders: { state: EntityState; row: EntityRow }[] = [];
    const records: FileRecord[] = [];
    const claimed = new Map<string, string>();
    const refuse = (record: FileRecord, reason: string) => {
      const problem = { reason, line: 1, column: 1 };
      records.push({ ...record, problem: JSON.stringify(problem) });
      outcome.problems.push({ path: record.path, ...problem });
    };

    for (const item of fresh) {
      const { record, state } = item;
      if (state === null) {
        if (record.problem) outcome.problems.push({ path: record.path, ...JSON.parse(record.problem) });
        records.push(record);
        continue;
      }
      const claimedBy = claimed.get(keyOf(state.entity_type, state.entity_id));
      if (claimedBy !== undefined) {
        refuse(record, `the id '${state.entity_id}' belongs to ${claimedBy} already`);
        continue;
      }
      const decision = decide(state, item, rows, before, livePaths);
      if (decision.kind === 'refuse') {
        refuse(record, decision.reason);
        continue;
      }
      if (decision.kind === 'create' && room >= 0 && !fitsLimit(room, 0)) {
        refuse(record, `the plan's limit of ${options.entitiesLimit} entities is reached`);
        continue;
      }
      claimed.set(keyOf(state.entity_type, state.entity_id), record.path);
      records.push({ ...record, entity_id: state.entity_id });
      if (decision.kind === 'same') {
        outcome.unchanged += 1;
        if (options.rerender) rerenders.push({ state, row: decision.row });
        continue;
      }
      const row = decision.kind === 'update' ? decision.row : null;
      if (row === null && room > 0) room -= 1;
      writes.push(writeOf(state, item, row, options));
      if (row) outcome.updated += 1;
      else outcome.created += 1;
      outcome.changes.push({
        entity_type: state.entity_type,
        entity_id: state.entity_id,
        action: row ? 'update' : 'create',
        updated_fields: [],
      });
    }
    const { dialect } = project.database;
    if (writes.length > 0) await putEntities(db, dialect, project, writes, firstSeq);
    if (rerenders.length > 0) await rerenderEntities(db, dialect, project, rerenders);
    if (records.length > 0) {
      await putFiles(db, dialect, project, records, before, {
        firstSeq: firstSeq + items.length,
        at: options.at,
      });
    }
    return outcome;
  });

/** Which of the paths that the ids' rows name are live files. */
async function otherLivePaths(
  db: RecordsDb,
  project: Project,
  items: readonly ImportItem[],
  rows: Map<string, EntityRow>,
): Promise<ReadonlySet<string>> {
  const own = new Set(items.map((item) => item.record.path));
  const others = [...rows.values()].map((row) => row.path).filter((path) => !own.has(path));
  const found = await findFiles(db, project, others);
  const live = [...found.values()].filter((row) => row.deleted_at === null).map((row) => row.path);
  return new Set([...own, ...live]);
}

/**
 * Follows files that vanished from the folder: their entities go to the recycle bin with their last known text, their
 * rows become tombstones. Files that came back meanwhile (a newer sequence number) stay. `recycledFolders` names the
 * folders in the recycle bin, so that a deletion that a crash cut short finds its folder.
 */
export const followDeletions = (
  project: Project,
  paths: readonly string[],
  options: { at: string; seenSeq: number; recycledFolders: ReadonlySet<string> },
): Promise<{ deleted: number; changes: ChangedEntity[] }> =>
  project.database.write(async (db: RecordsDb) => {
    const firstSeq = await takeSequence(db, project, paths.length);
    const found = await findFiles(db, project, paths);
    const gone = [...found.values()].filter((row) => row.deleted_at === null && row.seq <= options.seenSeq);
    const removed: EntityRow[] = [];
    for (const file of gone) {
      if (file.entity_type === null || file.entity_id === null || file.entry_type !== 'markdown') continue;
      const [row] = await findEntityRows(db, project, file.entity_type, [file.entity_id]);
      if (row?.path === file.path) removed.push(row);
    }
    for (const row of removed) {
      const content = (await storedFileText(db, row.row_id)) ?? '';
      const folder = recycleFolderOf(row);
      const item = recycleRowOf(row, {
        itemId: newId(),
        folder: options.recycledFolders.has(folder) ? folder : null,
        content,
        at: options.at,
        actor: null,
      });
      await insertRecycleItem(db, item);
    }
    await removeEntities(db, project.database.dialect, project, removed);
    await buryFiles(db, project.database.dialect, gone, { firstSeq, at: options.at });
    const changes = removed.map(({ entity_type, entity_id }) => ({
      entity_type,
      entity_id,
      action: 'delete' as const,
      updated_fields: [],
    }));
    return { deleted: removed.length, changes };
  });
