import { type KeyState, keyStep, NOTHING_KNOWN, type Step } from '../../content/replica/index.ts';
import { newItem, type SyncedItem } from './items.store.ts';
import { isEntityKey, type SyncKey } from './keys.ts';
import { type RemoteItem, versionOf } from './replica.ts';

/** A file's path is its key, so only its bytes are compared; an entity can move, so its path counts too. */
export const stateText = (key: SyncKey, { sha256, path }: { sha256: string; path: string }): string =>
  isEntityKey(key) ? `${sha256} ${path}` : sha256;

export const stateOf = (item: SyncedItem | undefined): KeyState =>
  item === undefined ? NOTHING_KNOWN : { synced: syncedOf(item), sent: item.sent ?? undefined };

const syncedOf = ({ key, sha256, path }: SyncedItem): string | undefined =>
  sha256 === null ? undefined : stateText(key, { sha256, path: path ?? '' });

export const nextStep = (
  known: SyncedItem | undefined,
  local: { sha256: string; path: string } | undefined,
  remote: RemoteItem,
): Step | null => keyStep(stateOf(known), localState(remote.key, local), remoteState(remote));

export const localState = (
  key: SyncKey,
  local: { sha256: string; path: string } | undefined,
): string | undefined => local && stateText(key, local);

export const remoteState = (item: RemoteItem): string | undefined =>
  item.kind === 'gone' ? undefined : stateText(item.key, item);

/** The item once both sides agree on `item`. */
export const agreedItem = (item: RemoteItem): SyncedItem => ({
  ...newItem(item.key),
  ...(item.kind !== 'gone' && { sha256: item.sha256, path: item.path }),
  version: versionOf(item),
});
