import { ABSENT } from '../../content/replica/index.ts';
import { dropInbox } from './inbox.store.ts';
import { localState } from './item-state.ts';
import { newItem, rememberItems, type SyncedItem } from './items.store.ts';
import type { RunningParts } from './parts.ts';
import type { Change, Outcome } from './replica.ts';
import { patchState } from './state.store.ts';
import type { SyncDb } from './sync.tables.ts';
import type { RoundTally } from './tally.ts';

export interface PartResult {
  /** The cursor to continue from; null if somebody else changed something. */
  cursor: string | null;
  /** The replica has something newer than what was sent. */
  hasNewer: boolean;
  /** Resolves once the outcomes are stored. Lost outcomes are harmless: the same put is repeated. */
  remembered: Promise<void>;
}

/** Sends one request; its outcomes are stored after those of `before`. Null if the replica withholds the deletions. */
export async function sendPart(
  { project, replica, tally }: RunningParts,
  changes: readonly Change[],
  { before, ...options }: { cursor: string | null; force: boolean; before: Promise<void> },
): Promise<PartResult | null> {
  const reply = await replica.put(changes, options);
  if (reply === null) return null;
  const next: SyncedItem[] = [];
  for (const [at, change] of changes.entries()) {
    const outcome = reply.outcomes[at] ?? { kind: 'unsent' };
    if (outcome.kind === 'unsent') continue;
    const { base } = change;
    if (outcome.kind === 'refused') {
      tally.leave(base.key, outcome.reason);
      next.push({ ...base, dirty: 2, problem: outcome.reason });
      continue;
    }
    tally.settle(base.key);
    count(tally, change, outcome);
    next.push(itemAfter(change, outcome));
  }
  const hasNewer = reply.outcomes.some(({ kind }) => kind === 'superseded');
  const cursor = hasNewer ? null : reply.cursor;
  const stored = next.filter(({ sent, dirty }) => sent === null && dirty === 0).map(({ key }) => key);
  const remember = () =>
    project.database.write(async (db: SyncDb) => {
      await rememberItems(db, project, next);
      await dropInbox(db, project, stored);
      if (cursor !== null) await patchState(db, project, { cursor });
    });
  const remembered = before.then(remember);
  // The caller awaits it at the end and sees the failure there.
  remembered.catch(() => {});
  return { cursor, hasNewer, remembered };
}

type Settled = Extract<Outcome, { kind: 'stored' | 'superseded' }>;

function itemAfter({ base, local }: Change, outcome: Settled): SyncedItem {
  const settled = { ...base, dirty: 0, problem: null };
  if (outcome.kind === 'superseded') return { ...settled, sent: localState(base.key, local) ?? ABSENT };
  if (local === undefined) return newItem(base.key);
  return { ...settled, sha256: local.sha256, path: local.path, version: outcome.version, sent: null };
}

function count({ counts, changed }: RoundTally, { base, local }: Change, outcome: Settled): void {
  if (outcome.kind === 'stored')
    changed(base.key, local === undefined ? 'deleted' : base.sha256 === null ? 'created' : 'updated');
  if (outcome.kind === 'stored' && local === undefined) counts.deleted_in_cloud += 1;
  else if (outcome.kind === 'stored') counts.pushed += 1;
  else if (local !== undefined && outcome.isMerged) counts.merged += 1;
  else if (local !== undefined) counts.conflicts += 1;
}
