import { folderOf, type PlannedMove } from '../../world/entities/index.ts';
import { entityPath } from '../replication/index.ts';
import { localState, nextStep, remoteState, stateText } from './item-state.ts';
import { findItems, putItems, type SyncedItem } from './items.store.ts';
import type { SyncKey } from './keys.ts';
import { staysThere } from './left-behind.ts';
import { type LocalItem, readLocal } from './local-tree.ts';
import type { RunningParts } from './parts.ts';
import type { RemoteEntity, RemoteItem } from './replica.ts';
import type { SyncDb } from './sync.tables.ts';
import type { SyncedProject } from './synced-project.ts';

interface Present {
  known: Map<SyncKey, SyncedItem>;
  local: Map<SyncKey, LocalItem>;
}

export const isElsewhere = (item: RemoteItem, there: LocalItem | undefined): item is RemoteEntity =>
  item.kind === 'entity' && there !== undefined && there.path !== item.path;

/** Folders that will be moved into place as a whole: incoming files below them must wait. */
export function foldersAwaited(
  items: readonly RemoteItem[],
  local: ReadonlyMap<SyncKey, LocalItem>,
): (path: string) => boolean {
  const folders = items.flatMap((item) =>
    isElsewhere(item, local.get(item.key)) ? [`${folderOf(item.path)}/`] : [],
  );
  return (path) => folders.some((folder) => path.startsWith(folder));
}

/**
 * Moves entities to the replica's places before their texts are compared. `stay` holds the reasons of those that could not
 * move.
 */
export async function takeMoves(
  parts: RunningParts,
  items: readonly RemoteItem[],
): Promise<Present & { stay: Map<SyncKey, unknown> }> {
  const { project } = parts;
  const stay = new Map<SyncKey, unknown>();
  const before = await presentAt(project, items);
  const incoming = new Map(items.map((item) => [item.key, item]));
  const moves = new Map<PlannedMove, SyncKey>();
  for (const item of items) {
    const move = await moveOf(parts, item, before, incoming).catch((error: unknown) => {
      stay.set(item.key, error);
    });
    if (move) moves.set(move, item.key);
  }
  if (moves.size === 0) return { ...before, stay };
  for (const [move, error] of await parts.moveMany(project.whole, [...moves.keys()])) {
    const key = moves.get(move);
    if (key !== undefined) stay.set(key, error);
  }
  const after = await presentAt(project, items);
  const isAll = (item: RemoteItem) => localState(item.key, after.local.get(item.key)) === remoteState(item);
  const moved = new Set(moves.values());
  parts.tally.counts.pulled += items.filter((item) => moved.has(item.key) && isAll(item)).length;
  for (const key of moved) if (!stay.has(key)) parts.tally.changed(key, 'updated');
  return { ...after, stay };
}

const presentAt = (project: SyncedProject, items: readonly RemoteItem[]): Promise<Present> =>
  project.database.read(async (db: SyncDb) => {
    const keys = items.map(({ key }) => key);
    return { known: await findItems(db, project, keys), local: await readLocal(db, project.whole, keys) };
  });

async function moveOf(
  { project, templates }: RunningParts,
  item: RemoteItem,
  { known, local }: Present,
  incoming: ReadonlyMap<SyncKey, RemoteItem>,
): Promise<PlannedMove | undefined> {
  const there = local.get(item.key);
  const synced = known.get(item.key);
  if (there === undefined || synced === undefined || !isElsewhere(item, there)) return undefined;
  const isPulled = nextStep(synced, there, item) === 'pull';
  if (!isPulled || there.problem) return undefined;
  const template = (await templates.of(project.whole)).types.get(item.type);
  if (template) entityPath(template, item.path);
  const [from, to] = [folderOf(there.path), folderOf(item.path)];
  return {
    type: item.type,
    id: item.id,
    from: there.path,
    to: item.path,
    isWhole: from === to || !(await staysThere(project, from, incoming)),
    actor: item.updatedBy ?? project.replica,
    also: (db) => putItems(db as SyncDb, project, [movedItem(synced, there, item.path)]),
  };
}

function movedItem(synced: SyncedItem, there: LocalItem, path: string): SyncedItem {
  const isSent = synced.sent === localState(synced.key, there);
  const sent = isSent ? stateText(synced.key, { sha256: there.sha256, path }) : synced.sent;
  return { ...synced, sent, ...(synced.sha256 !== null && { path }) };
}
