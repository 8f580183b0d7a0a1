import { decodeUtf8 } from '../../content/frontmatter/index.ts';
import { sha256Hex } from '../../kit/crypto.ts';
import type { Project } from '../../world/records/index.ts';
import type { PushedEntity, PushedFile } from '../replication/push.contract.ts';
import type { CloudSyncDb } from './cloud-sync.tables.ts';
import type { SyncedItem } from './items.store.ts';
import { namedKey, type SyncKey } from './keys.ts';
import { findTexts } from './local.store.ts';
import type { LocalItem } from './local-tree.ts';
import { checksumText } from './pulled-item.ts';

/** One change as it is sent. */
export type Change = { key: SyncKey; item: SyncedItem; local: LocalItem | undefined; bytes: number } & (
  | { kind: 'entity'; sent: PushedEntity }
  | { kind: 'file'; sent: PushedFile }
);

/** Whether an entity lies elsewhere than when both sides were last the same. */
export const isMoved = (item: SyncedItem, local: LocalItem): boolean =>
  item.sha256 !== null && item.path !== null && local.row !== null && local.path !== item.path;

/** Files of more bytes go ahead of the push that names them. */
const LARGEST_INLINE = 256 * 1024;

/** Entities with what is to be sent of them; texts are read together. */
export async function entityChanges(
  project: Project,
  waiting: readonly { item: SyncedItem; local: LocalItem | undefined; keepsFolder: boolean }[],
): Promise<Change[]> {
  const rowIds = waiting.flatMap(({ local }) => local?.row?.row_id ?? []);
  const texts = await project.database.read((db: CloudSyncDb) => findTexts(db, rowIds));
  return waiting.flatMap(({ item, local, keepsFolder }): Change[] => {
    const name = namedKey(item.key);
    if (name.kind !== 'entity') return [];
    const shared = {
      entity_type: name.type,
      entity_id: name.id,
      version: item.version + 1,
      ...(item.sha256 !== null && { base_checksum: checksumText(item.sha256) }),
      ...(keepsFolder && { keep_folder: true }),
    };
    const { key } = item;
    const base = item.sha256 !== null && item.path !== null ? { base_path: item.path } : {};
    if (local === undefined) {
      const sent = { ...shared, ...base, deleted: true };
      return [{ key, item, local, bytes: 0, kind: 'entity', sent }];
    }
    const { path } = local;
    const moved = isMoved(item, local) ? base : {};
    const content = texts.get(local.row?.row_id ?? -1);
    // Changed since it was looked at: it waits for the next round.
    if (content === undefined || sha256Hex(content) !== local.sha256) return [];
    const bytes = Buffer.byteLength(content);
    return [{ key, item, local, bytes, kind: 'entity', sent: { ...shared, ...moved, path, content } }];
  });
}

/** A file with its bytes, or with their hash alone where they go ahead; null where they changed since it was looked at. */
export async function fileChange(
  project: Project,
  { item, local }: { item: SyncedItem; local: LocalItem | undefined },
): Promise<Change | null> {
  const name = namedKey(item.key);
  if (name.kind !== 'file') return null;
  const { key } = item;
  const shared = { path: name.path, base_sha256: item.sha256 };
  if (local === undefined) {
    return { key, item, local, bytes: 0, kind: 'file', sent: { ...shared, deleted: true } };
  }
  const { sha256 } = local;
  const size = local.file?.size ?? 0;
  if (size > LARGEST_INLINE && local.file?.entry_type === 'asset')
    return { key, item, local, bytes: 0, kind: 'file', sent: { ...shared, sha256 } };
  const bytes = await project.files.read(local.path).catch(() => null);
  if (bytes === null || sha256Hex(bytes) !== sha256) return null;
  const decoded = decodeUtf8(bytes);
  const content = decoded.ok
    ? { content: decoded.text, encoding: 'utf8' as const }
    : { content: Buffer.from(bytes).toString('base64'), encoding: 'base64' as const };
  return {
    key,
    item,
    local,
    bytes: content.content.length,
    kind: 'file',
    sent: { ...shared, sha256, ...content },
  };
}
