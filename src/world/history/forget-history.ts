import { type Clock, isoTime } from '../../kit/clock.ts';
import { createPauses } from '../../kit/pauses.ts';
import type { Project } from '../records/index.ts';
import { deleteVersionsBefore, keptVersions, rowsWithHistory } from './history.store.ts';

/** How much history is kept; 0: all. A version goes when it is outside of every limit that is set. */
export interface HistoryLimits {
  versions: number;
  days: number;
}

/** By row id, the oldest version of some entities that something may still ask for; `now` in milliseconds. */
export type PinnedVersions = (
  project: Project,
  rowIds: readonly number[],
  now: number,
) => Promise<ReadonlyMap<number, number>>;

const DAY_MS = 24 * 3_600_000;
const PAGE = 200;

/** Deletes the versions that the limits no longer ask for; what an operation needs to be taken back stays. Resolves to how many went. */
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
    // Asked afterwards: an operation that begins now is about versions that are still there.
    const pinned = await options.pinned(project, rows, now);
    for (const [rowId, version] of oldest) {
      const before = Math.min(version, pinned.get(rowId) ?? version);
      if (before > 0) forgotten += await deleteVersionsBefore(project, rowId, before);
    }
    after = last;
  }
}

/** The oldest of the versions (oldest first) that a limit keeps; the one in force at the cutoff is kept by it. */
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
