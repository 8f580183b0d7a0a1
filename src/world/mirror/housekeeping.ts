import { type Clock, isoTime } from '../../kit/clock.ts';
import { messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import { forgetEvents, type Project } from '../records/index.ts';
import { purgeTombstones } from './mirror.store.ts';

/** Days for which tombstones are kept, and so the reach of the manifest's diff. */
export const TOMBSTONE_DAYS = 30;
/** Days for which clients can catch up event by event. */
const EVENT_DAYS = 7;
const MOST_EVENTS = 100_000;

/** Milliseconds after a start, which has more urgent work. */
const SETTLING_MS = 5 * 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Cleans up after full syncs: old tombstones and events once a day, leftovers of a crash once an hour. */
export function createHousekeeping(project: Project, clock: Clock, log: Log) {
  const due = clock.now() + SETTLING_MS;
  let purgedAt = due - DAY_MS;
  let cleanedAt = due - HOUR_MS;
  let running: Promise<void> = Promise.resolve();

  async function work(now: number): Promise<void> {
    try {
      if (now - cleanedAt >= HOUR_MS) {
        cleanedAt = now;
        const removed = await project.files.cleanTemporaryFiles();
        if (removed > 0) log.info(`removed ${removed} unfinished files that a crash had left`);
      }
      if (now - purgedAt >= DAY_MS) {
        purgedAt = now;
        await purgeTombstones(project, isoTime(now - TOMBSTONE_DAYS * DAY_MS));
        await forgetEvents(project, isoTime(now - EVENT_DAYS * DAY_MS), MOST_EVENTS);
      }
    } catch (error) {
      log.warn(`housekeeping failed: ${messageOf(error)}`);
    }
  }

  return {
    afterFullSync(): void {
      running = running.then(() => work(clock.now()));
    },
    idle: (): Promise<void> => running,
  };
}
