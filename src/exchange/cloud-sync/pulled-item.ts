import type { PullReply } from '../replication/pull.contract.ts';
import { entityKey, fileKey, type SyncKey } from './keys.ts';

/** What the cloud has at one key now. */
export type PulledItem = { key: SyncKey } & (
  | { kind: 'gone' }
  | {
      kind: 'entity';
      type: string;
      id: string;
      version: number;
      path: string;
      sha256: string;
      content: string;
      updatedBy: string | null;
    }
  | {
      kind: 'file';
      path: string;
      sha256: string;
      size: number;
      bytes: string | null;
      encoding: 'utf8' | 'base64';
    }
);

export type PulledEntity = PulledItem & { kind: 'entity' };
export type PulledFile = PulledItem & { kind: 'file' };

export const versionOf = (item: PulledItem): number => (item.kind === 'entity' ? item.version : 0);

const PREFIX = 'sha256:';
/** The digits of a checksum alone. */
export const digitsOf = (checksum: string): string =>
  checksum.startsWith(PREFIX) ? checksum.slice(PREFIX.length) : checksum;
export const checksumText = (digits: string): string => `${PREFIX}${digits}`;

type CloudEntity = Exclude<PullReply['entities'][number], { deleted: true }>;
type CloudFile = Exclude<NonNullable<PullReply['files']>[number], { deleted: true }>;

const entityItem = (entity: CloudEntity): PulledItem => ({
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

const fileItem = ({ path, sha256, size_bytes, content, encoding = 'utf8' }: CloudFile): PulledItem => ({
  key: fileKey(path),
  kind: 'file',
  path,
  sha256,
  size: size_bytes,
  bytes: content ?? null,
  encoding,
});

/** The changes of a page, each key once. */
export function itemsOf({ entities, files = [] }: PullReply): PulledItem[] {
  const items = [
    ...files.map(
      (file): PulledItem => ('deleted' in file ? { key: fileKey(file.path), kind: 'gone' } : fileItem(file)),
    ),
    ...entities.map(
      (entity): PulledItem =>
        'deleted' in entity
          ? { key: entityKey(entity.entity_type, entity.entity_id), kind: 'gone' }
          : entityItem(entity),
    ),
  ];
  return [...new Map(items.map((item) => [item.key, item])).values()];
}
