import type { ConflictRecords, ConflictRow } from '../../world/conflict-records/index.ts';
import { logEnd, type Project, type RecordsDb } from '../../world/records/index.ts';
import { type ChangedFile, filesAfter, type Window } from './pull.store.ts';

export interface Changes {
  files: ChangedFile[];
  conflicts: ConflictRow[];
  /** The result is complete up to this number. */
  seq: number;
  hasMore: boolean;
  /** Something was stored between the reads: its new number is beyond `seq`, and its old one is gone. */
  isOvertaken: boolean;
}

/** In bytes: a page is a single reply. */
const LARGEST_PAGE = 4_000_000;
/** Each has three texts. */
const MOST_CONFLICTS = 20;

/** As many files and conflicts after a number as fit on a page, in order. */
export async function changesAfter(
  project: Project,
  conflictRecords: ConflictRecords,
  window: Window,
): Promise<Changes> {
  // Read first, so that a commit between the reads comes after this number.
  const end = await project.database.read((db: RecordsDb) => logEnd(db, project));
  const files = await project.database.read((db: RecordsDb) => filesAfter(db, project, window));
  const conflicts = await conflictRecords.changedAfter(project, window.after, MOST_CONFLICTS + 1);
  const cuts = [cutFiles(files, window.limit), cutAt(conflicts, MOST_CONFLICTS)].flatMap((cut) => cut ?? []);
  const seq = Math.min(end.seq, ...cuts);
  const upTo = <Row extends { seq: number }>(rows: Row[]) => rows.filter((row) => row.seq <= seq);
  const isOvertaken = files.some((file) => file.seq > end.seq);
  return { files: upTo(files), conflicts: upTo(conflicts), seq, hasMore: cuts.length > 0, isOvertaken };
}

/** The number of the last row that fits; undefined if all do. */
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
