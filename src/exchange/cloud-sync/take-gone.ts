import type { Project } from '../../world/records/index.ts';
import type { PullReply } from '../replication/pull.contract.ts';
import type { CloudSyncDb } from './cloud-sync.tables.ts';
import { inboxPages } from './inbox-pages.ts';
import { itemPages } from './item-pages.ts';
import { entitiesSyncedAt, findItems } from './items.store.ts';
import { fileKey, type SyncKey } from './keys.ts';
import type { PulledItem } from './pulled-item.ts';
import { keepUnlisted } from './restored-cloud.ts';
import { type TakeParts, takeItems } from './take-items.ts';

/** What changed in the cloud. */
export interface Told {
  keys: Set<SyncKey>;
  /** Where something came or went. */
  paths: Set<string>;
}

export const nothingTold = (): Told => ({ keys: new Set(), paths: new Set() });

/** Adds a page of changes. */
export function addTold(
  { keys, paths }: Told,
  { entities, files = [] }: PullReply,
  items: readonly PulledItem[],
) {
  for (const { path } of [...entities, ...files]) paths.add(path);
  for (const { key } of items) keys.add(key);
  // A path that is an entity's own is no other file's.
  for (const item of items) if (item.kind === 'entity') keys.delete(fileKey(item.path));
}

/**
 * The cloud remembers one thing of a path. Of a file that said another id, or became one beside an entity's, and of
 * whatever lay there before it went, there is no trace: what was at the path and is told of nowhere is gone.
 */
export async function replacedBy(project: Project, { keys, paths }: Told): Promise<SyncKey[]> {
  if (paths.size === 0) return [];
  const places = [...paths];
  const gone = new Set<SyncKey>();
  await project.database.read(async (db: CloudSyncDb) => {
    for (const key of await entitiesSyncedAt(db, project, places)) gone.add(key);
    for (const key of (await findItems(db, project, places.map(fileKey))).keys()) gone.add(key);
  });
  for await (const items of inboxPages(project)) {
    for (const item of items) {
      if (item.kind === 'gone') continue;
      // What came earlier and waits, such as to be moved, is where it was to go.
      if (paths.has(item.path)) gone.add(item.key);
      else gone.delete(item.key);
    }
  }
  return [...gone].filter((key) => !keys.has(key));
}

/** What was synced, sent or has come once and is not in a list of everything is gone, or lost where the cloud was restored. */
export async function takeUnlisted(
  parts: TakeParts,
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

export async function takeGone(parts: TakeParts, keys: readonly SyncKey[]): Promise<void> {
  if (keys.length === 0) return;
  await takeItems(
    parts,
    keys.map((key): PulledItem => ({ key, kind: 'gone' })),
    {},
  );
}
