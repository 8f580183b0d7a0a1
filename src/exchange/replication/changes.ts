import type { ConflictRecords, ConflictRow } from '../../world/conflict-records/index.ts';
import { logEnd, type Project, type RecordsDb } from '../../world/records/index.ts';
import { type ChangedFile, filesAfter, type Window } from './pull.store.ts';

export interface Changes {
  files: ChangedFile[];
  conflicts: ConflictRow[];
  /** The number up to which these are all. */
  seq: number;
  hasMore: boolean;
  /** Whether something was stored between the reads, perhaps again: its number is beyond `seq`, where it was before is not told. */
  isOvertaken: boolean;
}

/** Texts of a page end it when they are longer than this (bytes), as a page is one reply. */
const LARGEST_PAGE = 4_000_000;
/** Conflicts have three texts each. */
const MOST_CONFLICTS = 20;

/** What follows a number, in order: as many files and conflicts as make a page. */
export async function changesAfter(
  project: Project,
  conflictRecords: ConflictRecords,
  window: Window,
): Promise<Changes> {
  // First, so that whatever commits between the reads comes after this number.
  const end = await project.database.read((db: RecordsDb) => logEnd(db, project));
  const files = await project.database.read((db: RecordsDb) => filesAfter(db, project, window));
  const conflicts = await conflictRecords.changedAfter(project, window.after, MOST_CONFLICTS + 1);
  const cuts = [cutFiles(files, window.limit), cutAt(conflicts, MOST_CONFLICTS)].flatMap((cut) => cut ?? []);
  const seq = Math.min(end.seq, ...cuts);
  const upTo = <Row extends { seq: number }>(rows: Row[]) => rows.filter((row) => row.seq <= seq);
  const isOvertaken = files.some((file) => file.seq > end.seq);
  return { files: upTo(files), conflicts: upTo(conflicts), seq, hasMore: cuts.length > 0, isOvertaken };
}

/** The number of the last that fits; undefined when all do. */
const cutAt = (rows: readonly { seq: number }[], most: number): number | undefined =>
  rows.length > most ? rows[most - 1]?.seq : undefined;

function cutFiles(files: readonly ChangedFile[], limit: number): number | undefined {
  let bytes = 0;
  const end = files.findIndex(({ size, entry_type, deleted_at }) => {
    bytes += entry_type === 'asset' || deleted_at !== null ? 0 : size;
    return bytes > LARGEST_PAGE;
  });
  return cutAt(files, end < 0 ? limit : Math.min(limit, Math.max(1, end)));
}
