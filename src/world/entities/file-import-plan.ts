import { isLayoutPath } from '../../content/layout/index.ts';
import { isoTime } from '../../kit/clock.ts';
import {
  type EntityName,
  type EntityRow,
  type EntityWrite,
  type FaultyRow,
  type FileProblem,
  type FileRow,
  isAsKnown,
  readProblem,
} from '../records/index.ts';
import {
  type ChangeSource,
  type EntityState,
  type FileRecord,
  folderNameOf,
  type ImportItem,
  VERIFY_AGAIN,
} from '../texts/index.ts';
import type { Returned } from './recycle-return.ts';

export interface ImportOutcome {
  created: number;
  updated: number;
  unchanged: number;
  problems: ({ path: string } & FileProblem)[];
  newProblems: ({ path: string } & FileProblem)[];
  /** Entities whose validity alone changed. */
  revalidated: number;
  /** Files of layouts with other bytes than before. */
  layouts: number;
  /** Names that no entity had before, including new names of renamed entities. */
  added: EntityName[];
  removed: EntityName[];
  /** Paths to read again: they changed meanwhile, or their id went to its rightful file. */
  stale: string[];
  /** Files with another id than before, or with another file's id: imported once all of them are known. */
  crossing: ImportItem[];
  /** Entities whose file is no longer the main one of its folder: they are treated as deleted. */
  orphans: EntityRow[];
}

export interface KnownState {
  /** File rows by path, including tombstones. */
  before: ReadonlyMap<string, FileRow>;
  /** Paths of files that keep their id against others. */
  rows: ReadonlyMap<string, EntityRow>;
  /** Files that hold an id against others. */
  livePaths: ReadonlySet<string>;
  /** Deleted entities that have returned, by path. */
  returned: ReadonlyMap<string, Returned>;
}

export interface PlanOptions {
  source: ChangeSource;
  seenSeq: number;
  rerender: boolean;
  /** True if the items are all files of a run with crossing ids; otherwise such files are put off. */
  resolvesIds: boolean;
}

export interface FileImportPlan {
  writes: EntityWrite[];
  rerenders: { state: EntityState; row: EntityRow }[];
  faults: FaultyRow[];
  /** Entities whose file lost its problem and is as it was before. */
  recovered: EntityRow[];
  records: FileRecord[];
  returned: Returned[];
  outcome: ImportOutcome;
}

export const keyOf = (entityType: string, entityId: string): string => `${entityType}/${entityId}`;

export const nameOf = ({ entity_type, entity_id }: EntityName): EntityName => ({ entity_type, entity_id });

const keyOfName = ({ entity_type, entity_id }: EntityName): string => keyOf(entity_type, entity_id);

type Decision =
  | { kind: 'create' }
  | { kind: 'update' | 'same'; row: EntityRow }
  | { kind: 'refuse'; reason: string };

/** An entity in the folder of its own id has the first claim to that id. */
export const isRightful = (state: EntityState): boolean => folderNameOf(state.path) === state.entity_id;
const rightfulFirst = (items: readonly ImportItem[]): ImportItem[] => {
  const first = ({ state }: ImportItem) => state === null || isRightful(state);
  return [...items.filter(first), ...items.filter((item) => !first(item))];
};

/** An unreliable change time does not contradict a reliable one. */
const isSameFile = (record: FileRecord, known: FileRow | undefined): boolean =>
  known !== undefined &&
  isAsKnown(known, record.ctimeMs === VERIFY_AGAIN ? { ...record, ctimeMs: known.ctime_ms } : record) &&
  known.sha256 === record.sha256 &&
  known.entry_type === record.entry_type &&
  known.entity_type === record.entity_type &&
  known.entity_id === record.entity_id &&
  known.problem === record.problem;

const hasBytesOf = ({ sha256 }: FileRecord, known: FileRow | undefined): boolean =>
  known?.sha256 === sha256 && known.deleted_at === null;

const emptyPlan = (): FileImportPlan => ({
  writes: [],
  rerenders: [],
  faults: [],
  recovered: [],
  records: [],
  returned: [],
  outcome: {
    created: 0,
    updated: 0,
    unchanged: 0,
    problems: [],
    newProblems: [],
    revalidated: 0,
    layouts: 0,
    added: [],
    removed: [],
    stale: [],
    crossing: [],
    orphans: [],
  },
});

/** Decides what to do with each file. Pure: the caller has looked up the known state. */
export function planFileImport(
  items: readonly ImportItem[],
  known: KnownState,
  options: PlanOptions,
): FileImportPlan {
  const plan = emptyPlan();
  const { outcome } = plan;
  const claimed = new Map<string, string>();

  function note(record: FileRecord): void {
    if (!isSameFile(record, known.before.get(record.path))) plan.records.push(record);
  }

  function formerRow(path: string): EntityRow | undefined {
    const file = known.before.get(path);
    if (!file?.entity_type || !file.entity_id) return undefined;
    const row = known.rows.get(keyOf(file.entity_type, file.entity_id));
    return row?.path === path ? row : undefined;
  }

  /** The file's entity stays as it was, since its new content cannot be imported. */
  function keep(record: FileRecord): FileRecord {
    const row = formerRow(record.path);
    return row ? { ...record, entity_type: row.entity_type, entity_id: row.entity_id } : record;
  }

  /** The entity keeps its last readable state and records the problem of its file. */
  function noteProblem(record: FileRecord, problem: FileProblem): void {
    const { path } = record;
    const before = known.before.get(path);
    const row = formerRow(path);
    const kept = { ...keep(record), problem: JSON.stringify(problem) };
    outcome.problems.push({ path, ...problem });
    const isNew = before?.problem !== kept.problem || before.deleted_at !== null;
    if (isNew) outcome.newProblems.push({ path, ...problem });
    if (row !== undefined && !isSameFile(kept, before))
      plan.faults.push({ row, problem: kept.problem, isNew });
    if (row !== undefined && isNew) outcome.revalidated += 1;
    note(kept);
  }

  const refuse = (record: FileRecord, reason: string): void =>
    noteProblem({ ...record, entity_id: null }, { reason, line: 1, column: 1, retry: true });

  function noteOther(record: FileRecord): void {
    const row = formerRow(record.path);
    if (isLayoutPath(record.path) && !hasBytesOf(record, known.before.get(record.path))) outcome.layouts += 1;
    if (record.problem !== null) noteProblem(record, readProblem(record.problem));
    else if (row !== undefined && row.entity_type === record.entity_type && record.entity_id === null) {
      outcome.orphans.push(row);
      note(record);
    } else note(keep(record));
  }

  const said = new Map(items.map(({ record, state }) => [record.path, state && keyOfName(state)]));
  const wanted = new Set(said.values());

  /** True if another file has the id and still says so. */
  const isHeld = (owner: EntityRow | undefined, state: EntityState): owner is EntityRow => {
    if (owner === undefined || owner.path === state.path || !known.livePaths.has(owner.path)) return false;
    const now = options.resolvesIds ? said.get(owner.path) : undefined;
    return !now || now === keyOfName(state);
  };

  function crosses(state: EntityState): boolean {
    const former = formerRow(state.path);
    const changesId = former !== undefined && former.entity_id !== state.entity_id;
    return changesId || (isHeld(known.rows.get(keyOfName(state)), state) && !isRightful(state));
  }

  function decide(state: EntityState): Decision {
    const key = keyOfName(state);
    const claimedBy = claimed.get(key);
    if (claimedBy !== undefined) return { kind: 'refuse', reason: belongsTo(state, claimedBy) };
    const owner = known.rows.get(key);
    const isElsewhere = isHeld(owner, state);
    if (isElsewhere && !isRightful(state)) return { kind: 'refuse', reason: belongsTo(state, owner.path) };
    if (isElsewhere) outcome.stale.push(owner.path);
    const former = formerRow(state.path);
    // An id that another file now has keeps its history there.
    const row = owner ?? (former && wanted.has(keyOfName(former)) ? undefined : former);
    if (former && row !== former) outcome.orphans.push(former);
    if (row === undefined) return { kind: 'create' };
    const isSame =
      row.path === state.path && row.file_checksum === state.file_checksum && owner !== undefined;
    return { kind: isSame ? 'same' : 'update', row };
  }

  function take(item: ImportItem, state: EntityState): void {
    const decision = decide(state);
    if (decision.kind === 'refuse') {
      refuse(item.record, decision.reason);
      return;
    }
    claimed.set(keyOfName(state), state.path);
    note({ ...item.record, entity_id: state.entity_id });
    if (decision.kind === 'same') {
      outcome.unchanged += 1;
      const hadProblem = (known.before.get(state.path)?.problem ?? null) !== null;
      if (options.rerender || hadProblem) plan.rerenders.push({ state, row: decision.row });
      if (!hadProblem) return;
      plan.recovered.push(decision.row);
      outcome.revalidated += 1;
      return;
    }
    const row = decision.kind === 'update' ? decision.row : null;
    const returned = row ? undefined : known.returned.get(state.path);
    if (returned) plan.returned.push(returned);
    plan.writes.push(writeOf(state, item, { row, returned }, options.source));
    if (row) outcome.updated += 1;
    else outcome.created += 1;
    const isRenamed = row !== null && row.entity_id !== state.entity_id;
    if (row === null || isRenamed) outcome.added.push(nameOf(state));
    if (isRenamed) outcome.removed.push(nameOf(row));
  }

  for (const item of rightfulFirst(items)) {
    const { record, state } = item;
    const before = known.before.get(record.path);
    if (
      before &&
      before.seq > options.seenSeq &&
      (before.deleted_at !== null || before.sha256 !== record.sha256)
    )
      outcome.stale.push(record.path);
    else if (state === null) noteOther(record);
    else if (!options.resolvesIds && crosses(state)) outcome.crossing.push(item);
    else take(item, state);
  }
  const taken = new Set(plan.writes.map(({ previous }) => previous?.row_id));
  outcome.orphans = outcome.orphans.filter((row) => !taken.has(row.row_id));
  // An entity that another file of the batch takes over follows that file.
  plan.faults = plan.faults.filter(({ row }) => !taken.has(row.row_id));
  return plan;
}

const belongsTo = (state: EntityState, path: string): string =>
  `the id '${state.entity_id}' already belongs to ${path}`;

const writeOf = (
  state: EntityState,
  item: ImportItem,
  { row, returned }: { row: EntityRow | null; returned: Returned | undefined },
  source: ChangeSource,
): EntityWrite => ({
  state,
  previous: row,
  ...(returned && { rowId: returned.row_id }),
  changed: [],
  stamp: {
    version: ((row ?? returned)?.version ?? 0) + 1,
    created_at: (row ?? returned)?.created_at ?? state.created_at ?? isoTime(item.record.mtimeMs),
    updated_at: isoTime(item.record.mtimeMs),
    updated_by: null,
    source,
  },
});
