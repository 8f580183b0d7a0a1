import { type Clock, isoTime } from '../../kit/clock.ts';
import { createPauses } from '../../kit/pauses.ts';
import type { Project } from '../records/index.ts';
import { deleteVersionsBefore, keptVersions, rowsWithHistory } from './history.store.ts';

/** Limits for history; 0 keeps everything. A version is removed if it is outside every limit that is set. */
export interface HistoryLimits {
  versions: number;
  days: number;
}

/** Returns the oldest version of each entity, by row id, that is still needed elsewhere; `now` is in milliseconds. */
export type PinnedVersions = (
  project: Project,
  rowIds: readonly number[],
  now: number,
) => Promise<ReadonlyMap<number, number>>;

const DAY_MS = 24 * 3_600_000;
const PAGE = 200;

/** Deletes versions outside the limits, except those that the undo of an operation needs. Resolves to their number. */
export async function forgetHistory(
  project: Project,
  limits: HistoryLimits,
  options: { pinned: PinnedVersions; clock: Clock; signal?: AbortSignal },
): Promise<number> {
  if (limits.versions === 0 && limits.days === 0) return 0;
  const now = options.clock.now();
  const cutoff = limits.days === 0 ? null : isoTime(now - limits.days * DAY_MS);
  const pause = createPauses();
  let forgotten = 0;
  let after = 0;
  for (;;) {
    const rows = await rowsWithHistory(project, after, PAGE);
    const last = rows.at(-1);
    if (last === undefined || options.signal?.aborted) return forgotten;
    const oldest = new Map<number, number>();
    for (const rowId of rows) {
      await pause();
      oldest.set(rowId, oldestKept(await keptVersions(project, rowId), limits.versions, cutoff));
    }
    // This comes after the selection: an operation that begins now uses versions that still exist.
    const pinned = await options.pinned(project, rows, now);
    for (const [rowId, version] of oldest) {
      const before = Math.min(version, pinned.get(rowId) ?? version);
      if (before > 0) forgotten += await deleteVersionsBefore(project, rowId, before);
    }
    after = last;
  }
}

/** The oldest of the versions (oldest first) that a limit keeps, including the one in force at the cutoff. */
function oldestKept(
  versions: readonly { version: number; created_at: string }[],
  count: number,
  cutoff: string | null,
): number {
  const byCount = count === 0 ? undefined : versions.at(-count)?.version;
  const inForce =
    cutoff === null ? undefined : versions.findLast(({ created_at }) => created_at < cutoff)?.version;
  const kept = [...(count === 0 ? [] : [byCount ?? 0]), ...(cutoff === null ? [] : [inForce ?? 0])];
  return Math.min(...kept);
}
