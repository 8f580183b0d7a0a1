import type { PullReply } from '../replication/pull.contract.ts';
import { digitsOf, entityKey, fileKey, type RemoteItem } from '../sync/index.ts';

type CloudEntity = Exclude<PullReply['entities'][number], { deleted: true }>;
type CloudFile = Exclude<NonNullable<PullReply['files']>[number], { deleted: true }>;

const entityItem = (entity: CloudEntity): RemoteItem => ({
  key: entityKey(entity.entity_type, entity.entity_id),
  kind: 'entity',
  type: entity.entity_type,
  id: entity.entity_id,
  version: entity.version,
  path: entity.path,
  sha256: digitsOf(entity.file_checksum),
  content: entity.content,
  updatedBy: entity.updated_by,
});

const fileItem = ({ path, sha256, size_bytes, content, encoding = 'utf8' }: CloudFile): RemoteItem => ({
  key: fileKey(path),
  kind: 'file',
  path,
  sha256,
  size: size_bytes,
  bytes: content ?? null,
  encoding,
});

export function itemsOf({ entities, files = [] }: PullReply): RemoteItem[] {
  const items = [
    ...files.map(
      (file): RemoteItem => ('deleted' in file ? { key: fileKey(file.path), kind: 'gone' } : fileItem(file)),
    ),
    ...entities.map(
      (entity): RemoteItem =>
        'deleted' in entity
          ? { key: entityKey(entity.entity_type, entity.entity_id), kind: 'gone' }
          : entityItem(entity),
    ),
  ];
  return [...new Map(items.map((item) => [item.key, item])).values()];
}
