import { entitiesSyncedAt, findItems } from './items.store.ts';
import { fileKey, type SyncKey } from './keys.ts';
import { inboxPages, itemPages } from './pages.ts';
import type { RunningParts } from './parts.ts';
import type { ChangePage, RemoteItem } from './replica.ts';
import { keepUnlisted } from './restored-replica.ts';
import type { SyncDb } from './sync.tables.ts';
import type { SyncedProject } from './synced-project.ts';
import { takeItems } from './take-items.ts';

export interface Changed {
  keys: Set<SyncKey>;
  /** Paths where something came or went. */
  paths: Set<string>;
}

export const nothingChanged = (): Changed => ({ keys: new Set(), paths: new Set() });

export function addChanged({ keys, paths }: Changed, page: ChangePage): void {
  for (const path of page.paths) paths.add(path);
  for (const { key } of page.items) keys.add(key);
  // A path named as an entity's own is no other file's.
  for (const item of page.items) if (item.kind === 'entity') keys.delete(fileKey(item.path));
}

/**
 * A replica keeps one tombstone per path. It forgets a file that changed its id or became an attachment, and whatever lay
 * there earlier. So anything known at a named path that is not named itself is gone.
 */
export async function replacedBy(project: SyncedProject, { keys, paths }: Changed): Promise<SyncKey[]> {
  if (paths.size === 0) return [];
  const places = [...paths];
  const gone = new Set<SyncKey>();
  await project.database.read(async (db: SyncDb) => {
    for (const key of await entitiesSyncedAt(db, project, places)) gone.add(key);
    for (const key of (await findItems(db, project, places.map(fileKey))).keys()) gone.add(key);
  });
  for await (const items of inboxPages(project)) {
    for (const item of items) {
      if (item.kind === 'gone') continue;
      // A waiting item counts with the path it was to move to.
      if (paths.has(item.path)) gone.add(item.key);
      else gone.delete(item.key);
    }
  }
  return [...gone].filter((key) => !keys.has(key));
}

/** Whatever is known but missing from a full listing is gone, or was lost if the replica was restored. */
export async function takeUnlisted(
  parts: RunningParts,
  listed: ReadonlySet<SyncKey>,
  isRestored: boolean,
): Promise<void> {
  const { project } = parts;
  const isUnlisted = ({ key }: { key: SyncKey }): boolean => !listed.has(key);
  for await (const page of itemPages(project)) {
    const known = page.filter(({ sha256, sent }) => sha256 !== null || sent !== null);
    const unlisted = known.filter(isUnlisted).map(({ key }) => key);
    if (isRestored) await keepUnlisted(project, unlisted);
    else await takeGone(parts, unlisted);
  }
  for await (const items of inboxPages(project))
    await takeGone(
      parts,
      items.filter(isUnlisted).map(({ key }) => key),
    );
}

export async function takeGone(parts: RunningParts, keys: readonly SyncKey[]): Promise<void> {
  if (keys.length === 0) return;
  await takeItems(
    parts,
    keys.map((key): RemoteItem => ({ key, kind: 'gone' })),
    {},
  );
}
