import { messageOf } from '../../kit/errors.ts';
import { folderOf } from '../../world/entities/index.ts';
import { heldDeletions } from './deletions.ts';
import { dropInbox } from './inbox.store.ts';
import { nextStep } from './item-state.ts';
import { dropItems, findItems } from './items.store.ts';
import type { SyncKey } from './keys.ts';
import { type LocalItem, readLocal } from './local-tree.ts';
import { inboxPages } from './pages.ts';
import type { RunningParts } from './parts.ts';
import type { HeldDeletions } from './sync.contract.ts';
import type { SyncDb } from './sync.tables.ts';
import { takeItems } from './take-items.ts';
import { removeFile } from './write-file.ts';

export async function retryInbox(parts: RunningParts): Promise<void> {
  for await (const items of inboxPages(parts.project)) await takeItems(parts, items, {});
}

/** Entities and files that the replica deleted and that are unchanged here, and the folders that incoming entities need. */
async function doomed(parts: RunningParts): Promise<{ gone: Map<SyncKey, LocalItem>; wanted: Set<string> }> {
  const { project } = parts;
  const found = new Map<SyncKey, LocalItem>();
  const wanted = new Set<string>();
  for await (const items of inboxPages(parts.project)) {
    for (const item of items) if (item.kind === 'entity') wanted.add(folderOf(item.path));
    const keys = items.filter(({ kind }) => kind === 'gone').map(({ key }) => key);
    await project.database.read(async (db: SyncDb) => {
      const known = await findItems(db, project, keys);
      for (const [key, item] of await readLocal(db, project.whole, keys))
        if (nextStep(known.get(key), item, { key, kind: 'gone' }) === 'pull_deletion') found.set(key, item);
    });
  }
  return { gone: found, wanted };
}

/** Follows the replica's deletions. If there are too many at once, nothing is deleted and they are reported. */
export async function followDeletions(parts: RunningParts, force: boolean): Promise<HeldDeletions | null> {
  const { project, tally } = parts;
  const { gone, wanted } = await doomed(parts);
  if (gone.size === 0) return null;
  const deletions = [...gone].map(([key, { path, sha256 }]) => ({ key, path, sha256 }));
  const held = force ? null : await heldDeletions(project, 'here', deletions);
  if (held) return held;
  const files: string[] = [];
  let isFreed = false;
  // Removing an entity removes its folder, so its files go first, each checked by itself.
  for (const [key, item] of [...gone].sort(
    ([, one], [, other]) => Number(one.row !== null) - Number(other.row !== null),
  )) {
    try {
      const isWanted = wanted.has(folderOf(item.path));
      isFreed ||= isWanted;
      if (item.row) await parts.entities.remove(project, key, item, { keepFolder: isWanted });
      else {
        await removeFile(project.whole, item);
        files.push(item.path);
      }
      tally.counts.deleted_here += 1;
      tally.changed(key, 'deleted');
      await forget(parts, key);
    } catch (error) {
      tally.leave(key, messageOf(error));
    }
  }
  if (files.length > 0) await parts.mirror.sync(project.whole, { kind: 'paths', paths: files });
  if (isFreed) await retryInbox(parts);
  return null;
}

const forget = ({ project }: RunningParts, key: SyncKey): Promise<void> =>
  project.database.write(async (db: SyncDb) => {
    await dropItems(db, project, [key]);
    await dropInbox(db, project, [key]);
  });
