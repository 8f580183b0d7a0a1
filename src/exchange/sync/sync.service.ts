import type { PlanName } from '../../access/plans.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { HttpError } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { TemplateRegistry } from '../../world/definitions/index.ts';
import type { Entities, MoveMany, RecycleBin, WriteMany } from '../../world/entities/index.ts';
import type { Mirror } from '../../world/mirror/index.ts';
import type { ProjectPart } from '../../world/projects/index.ts';
import { keyOfProject, type Project, type Scope } from '../../world/records/index.ts';
import { countInbox } from './inbox.store.ts';
import { countDirty } from './items.store.ts';
import { listQueue } from './queue.ts';
import { NOT_LINKED, type Replicas } from './replica.ts';
import { failedRound, type RoundRequest, runRound } from './round.ts';
import { createSchedule, type Schedule, SYNC_PAUSES, type SyncPauses } from './schedule.ts';
import { findState, newState, patchState, putState } from './state.store.ts';
import type { HeldSample, SyncResult, SyncStatus } from './sync.contract.ts';
import type { SyncDb } from './sync.tables.ts';
import type { Sync } from './sync.ts';
import { type ReplicaName, type SyncedProject, syncedProject } from './synced-project.ts';
import { createEntityWriter } from './write-entity.ts';

export interface SyncOptions {
  replica: ReplicaName;
  replicas: Replicas;
  templates: TemplateRegistry;
  entities: Entities;
  writeMany: WriteMany;
  moveMany: MoveMany;
  recycleBin: RecycleBin;
  mirror: Mirror;
  planOf(tenantId: string): PlanName;
  clock: Clock;
  log: Log;
  pauses?: SyncPauses;
  /** Rounds of a project run in several processes: each result is stored for the others. */
  storesEachResult?: boolean;
}

interface Running {
  request: RoundRequest;
  startedAt: number;
  phase: SyncStatus['phase'];
  result: Promise<SyncResult>;
}

interface Rounds {
  schedule: Schedule;
  running: Running | null;
  last: SyncResult | null;
  /** When refused changes were last retried; null: retry in the next round. */
  refusedTriedAt: number | null;
}

/** By then the plan, a role or a limit may have changed. */
const RETRY_REFUSED_MS = 10 * 60_000;

const USUAL: RoundRequest = { compareAll: false, pullAll: false, push: true, force: false, refused: false };

/** A first round compares everything anyway; saying so lets callers who ask for that meanwhile join it. */
const FIRST: RoundRequest = { ...USUAL, compareAll: true, refused: true };

const covers = (running: RoundRequest, asked: RoundRequest): boolean =>
  (Object.keys(asked) as (keyof RoundRequest)[]).every((part) => running[part] || !asked[part]);

export function createSync(options: SyncOptions): Sync & { part: ProjectPart; idle(): Promise<void> } {
  const { replicas, templates, moveMany, mirror, clock, log } = options;
  const { pauses = SYNC_PAUSES, storesEachResult = false } = options;
  const writer = createEntityWriter(options);
  const rounds = new Map<string, Rounds>();

  const synced = (project: Project): SyncedProject => syncedProject(project, options.replica);

  function roundsOf(project: Project): Rounds {
    const key = keyOfProject(project);
    const known = rounds.get(key);
    if (known) return known;
    const made: Rounds = {
      schedule: createSchedule({ clock, pauses }, () => void periodic(project)),
      running: null,
      last: null,
      refusedTriedAt: null,
    };
    rounds.set(key, made);
    return made;
  }

  async function nextRound(project: Project): Promise<RoundRequest> {
    const state = await project.database.read((db: SyncDb) => findState(db, synced(project)));
    return state?.cursor ? USUAL : FIRST;
  }

  const periodic = (project: Project): Promise<unknown> =>
    nextRound(project)
      .then((request) => run(project, request))
      .catch(async (error: unknown) => {
        const mine = roundsOf(project);
        // The link was removed, so there is nothing to come back to.
        if (error instanceof HttpError && error.extras.code === NOT_LINKED) return mine.schedule.stop();
        const result = failedRound({ project: synced(project), clock, log }, error);
        mine.schedule.after(result.error);
        await remember(project, mine, result);
      });

  async function begin(project: Project, mine: Rounds, request: RoundRequest): Promise<SyncResult> {
    const replica = await replicas.open(project, request);
    await mirror.whenSettled(project);
    const refused = request.refused || isDue(mine.refusedTriedAt, clock.now());
    const result = await runRound(
      { project: synced(project), replica, mirror, templates, moveMany, entities: writer, clock, log },
      { ...request, refused },
      (phase) => {
        if (mine.running) mine.running.phase = phase;
      },
    );
    // The refused changes may have needed what was accepted just now.
    if (hasGivenSomething(result)) mine.refusedTriedAt = null;
    else if (refused && request.push && result.error === null) mine.refusedTriedAt = clock.now();
    mine.schedule.after(result.error);
    if (result.held_sample !== null && !mine.last?.held_sample)
      log.info(
        `project ${project.projectId}: ${shownSample(result.held_sample)} of the sample world stay here; a forced push sends them`,
      );
    await remember(project, mine, result);
    return result;
  }

  async function remember(project: Project, mine: Rounds, result: SyncResult): Promise<void> {
    const isNews =
      storesEachResult ||
      result.requests !== 1 ||
      result.error?.code !== mine.last?.error?.code ||
      mine.last === null;
    mine.last = result;
    if (!isNews) return;
    const at = result.error === null ? { last_synced_at: result.finished_at } : {};
    await project.database
      .write((db: SyncDb) => patchState(db, synced(project), { last: JSON.stringify(result), ...at }))
      .catch(() => {});
  }

  /** One round at a time; a request that the running round covers gets its result. */
  async function run(project: Project, request: RoundRequest): Promise<SyncResult> {
    await replicas.require(project);
    const mine = roundsOf(project);
    while (mine.running) {
      if (covers(mine.running.request, request)) return mine.running.result;
      await mine.running.result.catch(() => {});
    }
    // A pull alone leaves hints standing: they may be about changes to send.
    if (request.push) mine.schedule.began();
    const result = begin(project, mine, request).finally(() => {
      mine.running = null;
    });
    mine.running = { request, startedAt: clock.now(), phase: null, result };
    return result;
  }

  async function status(project: Project): Promise<SyncStatus> {
    const link = await replicas.current(project);
    const mine = roundsOf(project);
    const scope = synced(project);
    const { state, pending } = await project.database.read(async (db: SyncDb) => ({
      state: await findState(db, scope),
      pending: {
        to_push: await countDirty(db, scope),
        to_write: await countInbox(db, scope),
        conflicts: (await replicas.countConflicts?.(db, project)) ?? 0,
      },
    }));
    const { running, schedule } = mine;
    const nextAt = schedule.nextAt();
    const stored = state?.last ? (JSON.parse(state.last) as SyncResult) : null;
    const last = latest(mine.last, stored);
    return {
      state: stateOf(link !== null, running !== null, schedule.isOn()),
      cloud_url: link?.url ?? null,
      periodic: schedule.isOn(),
      started_at: running && isoTime(running.startedAt),
      phase: running?.phase ?? null,
      pending,
      last,
      last_synced_at: last?.error === null ? last.finished_at : (state?.last_synced_at ?? null),
      next_at: nextAt === null ? null : isoTime(nextAt),
    };
  }

  async function setPeriodic(project: Project, isOn: boolean): Promise<void> {
    const link = await replicas.require(project);
    const scope = synced(project);
    await project.database.write(async (db: SyncDb) => {
      const state = (await findState(db, scope)) ?? newState(link);
      await putState(db, scope, { ...state, periodic: isOn ? 1 : 0 });
    });
    const { schedule } = roundsOf(project);
    if (isOn) schedule.start();
    else schedule.stop();
  }

  /** A link from the settings starts by itself. */
  async function isPeriodic(project: Project): Promise<boolean> {
    const link = await replicas.current(project);
    if (link === null) return false;
    const state = await project.database.read((db: SyncDb) => findState(db, synced(project)));
    return state ? state.periodic === 1 : link.by === 'settings';
  }

  return {
    status,
    queue: (project, limit) => listQueue(synced(project), limit),
    syncNow: (project) => run(project, USUAL),
    pull: (project) => run(project, { ...USUAL, push: false }),
    pushAll: (project, { force = false } = {}) =>
      run(project, { ...USUAL, compareAll: true, refused: true, force }),
    pullAll: (project, { force = false } = {}) =>
      run(project, { ...USUAL, pullAll: true, push: false, force }),
    start: (project) => setPeriodic(project, true),
    stop: (project) => setPeriodic(project, false),
    hint: (scope: Scope) => rounds.get(keyOfProject(scope))?.schedule.hint(),
    part: {
      async open(project) {
        if (await isPeriodic(project)) roundsOf(project).schedule.start();
      },
      isBusy: (project) => rounds.get(keyOfProject(project))?.running != null,
      async close(project) {
        const mine = rounds.get(keyOfProject(project));
        mine?.schedule.stop();
        await mine?.running?.result.catch(() => {});
        rounds.delete(keyOfProject(project));
      },
    },
    async idle() {
      for (const { schedule } of rounds.values()) schedule.stop();
      await Promise.allSettled([...rounds.values()].flatMap(({ running }) => running?.result ?? []));
    },
  };
}

/** Another process may have finished a round since. */
const latest = (own: SyncResult | null, stored: SyncResult | null): SyncResult | null =>
  own === null || (stored !== null && stored.finished_at > own.finished_at) ? stored : own;

/** A clock set back must not postpone the retry. */
const isDue = (triedAt: number | null, now: number): boolean =>
  triedAt === null || now < triedAt || now - triedAt >= RETRY_REFUSED_MS;

const hasGivenSomething = ({ pushed, merged, deleted_in_cloud }: SyncResult): boolean =>
  pushed + merged + deleted_in_cloud > 0;

function shownSample({ entities, files }: HeldSample): string {
  const byType = Object.entries(entities).map(([type, count]) => `${count} of ${type}`);
  return [...byType, `${files} other files`].join(', ');
}

function stateOf(isLinked: boolean, isRunning: boolean, isPeriodic: boolean): SyncStatus['state'] {
  if (!isLinked) return 'unlinked';
  if (isRunning) return 'syncing';
  return isPeriodic ? 'waiting' : 'stopped';
}
