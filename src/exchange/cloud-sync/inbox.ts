import { keyStep } from '../../content/replica/index.ts';
import { messageOf } from '../../kit/errors.ts';
import { folderOf } from '../../world/entities/index.ts';
import type { CloudSyncDb } from './cloud-sync.tables.ts';
import type { HeldDeletions } from './cloud-sync.ts';
import { heldDeletions } from './deletions.ts';
import { dropInbox } from './inbox.store.ts';
import { inboxPages } from './inbox-pages.ts';
import { localState, stateOf } from './item-state.ts';
import { dropItems, findItems } from './items.store.ts';
import type { SyncKey } from './keys.ts';
import { type LocalItem, readLocal } from './local-tree.ts';
import { type TakeParts, takeItems } from './take-items.ts';
import { removeFile } from './write-file.ts';

/** Tries once more to write what came from the cloud and could not be written. */
export async function retryInbox(parts: TakeParts): Promise<void> {
  for await (const items of inboxPages(parts.project)) await takeItems(parts, items, {});
}

/** What the cloud deleted and nobody changed here since, and the folders that others are to have. */
async function doomed(parts: TakeParts): Promise<{ gone: Map<SyncKey, LocalItem>; wanted: Set<string> }> {
  const { project } = parts;
  const found = new Map<SyncKey, LocalItem>();
  const wanted = new Set<string>();
  for await (const items of inboxPages(parts.project)) {
    for (const item of items) if (item.kind === 'entity') wanted.add(folderOf(item.path));
    const keys = items.filter(({ kind }) => kind === 'gone').map(({ key }) => key);
    await project.database.read(async (db: CloudSyncDb) => {
      const known = await findItems(db, project, keys);
      for (const [key, item] of await readLocal(db, project, keys))
        if (keyStep(stateOf(known.get(key)), localState(key, item), undefined) === 'pull_deletion')
          found.set(key, item);
    });
  }
  return { gone: found, wanted };
}

/** Follows deletions in the cloud, unless they are too many at once: then nothing is deleted, and it is said. */
export async function followDeletions(parts: TakeParts, force: boolean): Promise<HeldDeletions | null> {
  const { project, tally } = parts;
  const { gone, wanted } = await doomed(parts);
  if (gone.size === 0) return null;
  const deletions = [...gone].map(([key, { path, sha256 }]) => ({ key, path, sha256 }));
  const held = force ? null : await heldDeletions(project, 'here', deletions);
  if (held) return held;
  const files: string[] = [];
  let isFreed = false;
  // An entity's folder goes with its files, so they come first: each is looked at by itself.
  for (const [key, item] of [...gone].sort(
    ([, one], [, other]) => Number(one.row !== null) - Number(other.row !== null),
  )) {
    try {
      const isWanted = wanted.has(folderOf(item.path));
      isFreed ||= isWanted;
      if (item.row) await parts.entities.remove(project, key, item, { keepFolder: isWanted });
      else {
        await removeFile(project, item);
        files.push(item.path);
      }
      tally.counts.deleted_here += 1;
      await forget(parts, key);
    } catch (error) {
      tally.leave(key, messageOf(error));
    }
  }
  if (files.length > 0) await parts.mirror.sync(project, { kind: 'paths', paths: files });
  if (isFreed) await retryInbox(parts);
  return null;
}

const forget = ({ project }: TakeParts, key: SyncKey): Promise<void> =>
  project.database.write(async (db: CloudSyncDb) => {
    await dropItems(db, project, [key]);
    await dropInbox(db, project, [key]);
  });
