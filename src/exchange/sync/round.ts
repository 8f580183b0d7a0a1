import { isoTime } from '../../kit/clock.ts';
import { messageOf } from '../../kit/errors.ts';
import { DatabaseError } from '../../platform/database/database.ts';
import { FilesError } from '../../platform/files/files.ts';
import { countInbox } from './inbox.store.ts';
import { followDeletions, retryInbox } from './inbox.ts';
import { isAwaiting } from './items.store.ts';
import { noteLocal } from './note-changes.ts';
import type { RoundParts } from './parts.ts';
import { pullChanges } from './pull-changes.ts';
import { pushChanges } from './push-changes.ts';
import { ReplicaError } from './replica.ts';
import { findState, forgetSynced, newState, type ProjectState, patchState, putState } from './state.store.ts';
import type { SyncError, SyncResult, SyncStatus } from './sync.contract.ts';
import type { SyncDb } from './sync.tables.ts';
import type { SyncedProject } from './synced-project.ts';
import { createRoundTally, type RoundTally } from './tally.ts';

export interface RoundRequest {
  /** Compares everything here with what was synced, not only what changed since. */
  compareAll: boolean;
  /** Asks for a full listing. */
  pullAll: boolean;
  push: boolean;
  force: boolean;
  /** Retry what the replica refused before. */
  refused: boolean;
}

/** A round also sends what is edited while it runs, up to this many passes. */
const MOST_PASSES = 3;

/** Never rejects: failures are part of the result. */
export async function runRound(
  parts: RoundParts,
  request: RoundRequest,
  onPhase: (phase: NonNullable<SyncStatus['phase']>) => void,
): Promise<SyncResult> {
  const { project, clock } = parts;
  const started_at = isoTime(clock.now());
  const tally = createRoundTally();
  let held: SyncResult['held'] = null;
  let error: SyncError | null = null;
  try {
    held = await aloneInRound(project, () => passes(parts, request, tally, onPhase));
  } catch (failure) {
    error = { ...describe(failure, parts), at: isoTime(clock.now()) };
  }
  return {
    started_at,
    finished_at: isoTime(clock.now()),
    ...tally.result(parts.replica.requests),
    held,
    error,
  };
}

/** No round of the project with this replica runs meanwhile, in whatever process. */
export const aloneInRound = <Result>(project: SyncedProject, work: () => Promise<Result>): Promise<Result> =>
  project.database.exclusive(`sync ${project.replica} ${project.projectId}`, work);

/** The result of a round that failed before it began. */
export function failedRound(
  parts: Pick<RoundParts, 'project' | 'clock' | 'log'>,
  failure: unknown,
): SyncResult {
  const at = isoTime(parts.clock.now());
  const error = { ...describe(failure, parts), at };
  return { started_at: at, finished_at: at, ...createRoundTally().result(0), held: null, error };
}

async function passes(
  parts: RoundParts,
  request: RoundRequest,
  tally: RoundTally,
  onPhase: (phase: NonNullable<SyncStatus['phase']>) => void,
): Promise<SyncResult['held']> {
  const { project, replica } = parts;
  let seen: Promise<unknown> | null = null;
  const lookAgain = () => (seen ??= parts.mirror.sync(project.whole, { kind: 'full' }));
  const take = { ...parts, tally, lookAgain };
  const { database } = project;
  const state = await stateFor(parts);
  await replica.conflicts?.settle();
  // An earlier round may have ended before the replica's version of something superseded arrived.
  const pullAll = request.pullAll || (await isWaiting(project));
  if (request.compareAll) await parts.mirror.sync(project.whole, { kind: 'full' });
  await noteLocal(project, request.compareAll);
  onPhase('pulling');
  // The replica reports a restored backup only to callers with a cursor, so the full listing comes second.
  let cursor: string | null = await pullChanges(take, state.cursor);
  if (pullAll && state.cursor !== null) cursor = await pullChanges(take, null);
  let held: SyncResult['held'] = null;
  for (let pass = 1; request.push && pass <= MOST_PASSES; pass += 1) {
    onPhase('pushing');
    const pushed = await pushChanges(take, {
      cursor,
      force: request.force,
      refused: request.refused && pass === 1,
    });
    held = pushed.held;
    cursor = pushed.cursor;
    const isDelivered = (await replica.conflicts?.deliver(tally.leave)) ?? false;
    if (!pushed.hasNewer && !isDelivered) break;
    onPhase('pulling');
    cursor = await pullChanges(take, cursor);
    onPhase('writing');
    await retryInbox(take);
    if (await isWaiting(project)) cursor = await pullChanges(take, null);
    await noteLocal(project, false);
  }
  onPhase('writing');
  if ((await database.read((db: SyncDb) => countInbox(db, project))) > 0) {
    await retryInbox(take);
    // A forced push keeps everything that is here, even what the replica has lost.
    held = (await followDeletions(take, request.force && !request.push)) ?? held;
  }
  await replica.conflicts?.settle();
  return held;
}

const isWaiting = (project: SyncedProject): Promise<boolean> =>
  project.database.read((db: SyncDb) => isAwaiting(db, project));

/** Starts afresh if the project now has another replica, or another owner there. */
async function stateFor({ project, replica }: RoundParts): Promise<ProjectState> {
  const { link } = replica;
  const account = await replica.account();
  const known = await project.database.read((db: SyncDb) => findState(db, project));
  if (known?.address === link.url && known.account === account) return known;
  if (known?.address === link.url && known.account === null) {
    await project.database.write((db: SyncDb) => patchState(db, project, { account }));
    return known;
  }
  const fresh = { ...newState(link), account };
  const state = { ...fresh, periodic: known?.periodic ?? fresh.periodic };
  await project.database.write(async (db: SyncDb) => {
    await forgetSynced(db, project);
    await replica.forget(db);
    await putState(db, project, state);
  });
  return state;
}

function describe(
  failure: unknown,
  { project, log }: Pick<RoundParts, 'project' | 'log'>,
): Omit<SyncError, 'at'> {
  if (failure instanceof ReplicaError) {
    const { code, message, retryAfter } = failure;
    return { code, message, ...(retryAfter !== null && { retry_after: retryAfter }) };
  }
  if (failure instanceof FilesError || failure instanceof DatabaseError)
    return { code: 'disk', message: failure.message };
  log.error(
    `a round with the ${project.replica} failed: ${failure instanceof Error ? failure.stack : messageOf(failure)}`,
  );
  return { code: 'internal', message: messageOf(failure) };
}
