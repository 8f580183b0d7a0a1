import { decodeUtf8 } from '../../content/frontmatter/index.ts';
import type { PushedEntity, PushedFile } from '../replication/push.contract.ts';
import { type Change, checksumText, isMoved, namedKey } from '../sync/index.ts';

export type Pushed = { change: Change } & (
  | { kind: 'entity'; sent: PushedEntity }
  | { kind: 'file'; sent: PushedFile }
);

export function pushedOf(change: Change): Pushed {
  const name = namedKey(change.base.key);
  return name.kind === 'entity'
    ? { change, kind: 'entity', sent: pushedEntity(name, change) }
    : { change, kind: 'file', sent: pushedFile(name.path, change) };
}

function pushedEntity(
  { type, id }: { type: string; id: string },
  { base, local, keepsFolder, content }: Change,
): PushedEntity {
  const shared = {
    entity_type: type,
    entity_id: id,
    version: base.version + 1,
    ...(base.sha256 !== null && { base_checksum: checksumText(base.sha256) }),
    ...(keepsFolder && { keep_folder: true }),
  };
  const from = base.sha256 !== null && base.path !== null ? { base_path: base.path } : {};
  if (local === undefined) return { ...shared, ...from, deleted: true };
  const moved = isMoved(base, local) ? from : {};
  return { ...shared, ...moved, path: local.path, ...(typeof content === 'string' && { content }) };
}

function pushedFile(path: string, { base, local, content }: Change): PushedFile {
  const shared = { path, base_sha256: base.sha256 };
  if (local === undefined) return { ...shared, deleted: true };
  return { ...shared, sha256: local.sha256, ...(content instanceof Uint8Array && encoded(content)) };
}

function encoded(bytes: Uint8Array): Pick<PushedFile, 'content' | 'encoding'> {
  const decoded = decodeUtf8(bytes);
  return decoded.ok
    ? { content: decoded.text, encoding: 'utf8' }
    : { content: Buffer.from(bytes).toString('base64'), encoding: 'base64' };
}
