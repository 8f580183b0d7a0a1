import { messageOf } from '../../../kit/errors.ts';
import type { Bus } from '../../../platform/bus/bus.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { KeyValue } from '../../../platform/kv/kv.ts';
import type { Projects } from '../../../world/projects/index.ts';
import type { Scope } from '../../../world/records/index.ts';
import { hasUnnoted, type SyncDb } from '../../sync/index.ts';
import type { DriveChannels } from '../channels.service.ts';
import { listConnected } from '../connections.store.ts';
import type { DriveDb } from '../drive.tables.ts';
import type { DriveSync } from '../drive-sync.ts';
import { createDriveJobs, DRIVE_QUEUE, jobOf } from './drive-jobs.ts';
import { createDriveRounds, type DriveRoundsOptions } from './drive-rounds.ts';
import { driveState } from './drive-state.ts';
import { createFailures } from './failures.ts';
import { forcedResults } from './forced-results.ts';
import { createLocalEdits } from './local-edits.ts';
import { createTurns } from './turns.ts';

export interface DriveWorkerOptions extends DriveRoundsOptions {
  database: Database;
  keyValue: KeyValue;
  bus: Bus;
  jobs: Jobs;
  projects: Projects;
  channels: DriveChannels;
  countDesktops(tenantId: string): Promise<number>;
}

/** When a core starts, rounds begin one batch after another. */
const BATCH = 10;
const BATCH_EVERY_MS = 2_000;
const ALL_WITHIN_MS = 10 * 60_000;

/** Keeps connected projects equal to their folders, by jobs that all cores share. */
export function createDriveWorker(options: DriveWorkerOptions) {
  const { database, keyValue, clock, bus, jobs, projects } = options;
  const rounds = createDriveRounds(options);
  const failures = createFailures({ keyValue, clock });
  const hint = (scope: Scope): Promise<void> => jobs.add([jobOf(scope)]);
  const edits = createLocalEdits({
    isConnected: async (scope) => (await rounds.connectionOf(scope)) !== null,
    hasNews: (scope) =>
      database.tenant(scope.tenantId).read((db: SyncDb) => hasUnnoted(db, { ...scope, replica: 'drive' })),
    hint,
  });
  let unsubscribe = () => {};
  let begun: Promise<void> = Promise.resolve();
  let isStopped = false;

  /** Jobs that wait already keep their time, if it is earlier. */
  async function beginAll(): Promise<void> {
    const connected = await database.system.read((db: DriveDb) => listConnected(db));
    for (let at = 0; at < connected.length && !isStopped; at += BATCH) {
      const afterMs = Math.min((at / BATCH) * BATCH_EVERY_MS, ALL_WITHIN_MS);
      await jobs.add(connected.slice(at, at + BATCH).map(jobOf), { dueAtMs: clock.now() + afterMs });
    }
  }

  const sync: DriveSync = {
    async force(project) {
      const results = forcedResults(await rounds.force(project));
      await failures.over(project);
      return results;
    },
    hint,
    async status(project) {
      if ((await rounds.connectionOf(project)) === null) return null;
      const status = await rounds.status(project);
      const { subject } = jobOf(project);
      const known = await jobs.list(project, DRIVE_QUEUE, subject);
      const isRunning = status.state === 'syncing' || known.some(({ state }) => state === 'running');
      return driveState(project, status, isRunning);
    },
    async connected(project) {
      edits.connected(project);
      await failures.over(project);
      await hint(project);
    },
    async disconnected(project) {
      await jobs.cancel([jobOf(project)]);
      await rounds.end(project);
    },
  };

  return {
    sync,
    work: createDriveJobs({ ...options, rounds, failures, turns: createTurns({ database, keyValue }) }),
    async start(): Promise<void> {
      projects.attach(rounds.part);
      unsubscribe = bus.onAny((_event, { tenantId, projectId }) => {
        if (projectId !== null) edits.noticed({ tenantId, projectId });
      });
      begun = beginAll().catch((error: unknown) =>
        options.log.warn(`syncs with drives begin when something changes: ${messageOf(error)}`),
      );
    },
    async stop(): Promise<void> {
      isStopped = true;
      unsubscribe();
      await Promise.all([begun, edits.stop(), rounds.stop()]);
    },
  };
}
