import type { DriveFile, NewFolder } from '../../../platform/drive/drive.ts';
import type { DriveItem } from './drive-items.store.ts';

const kindOf = ({ isFolder, isNative }: DriveFile): DriveItem['kind'] =>
  isFolder ? 'folder' : isNative ? 'document' : 'file';

/** The row of a file as it is now. Its path is settled later, since that depends on the folders above. */
export function itemOfFile(file: DriveFile, known: DriveItem | undefined, pending: string | null): DriveItem {
  const kind = kindOf(file);
  const isSameDocument = kind === 'document' && known?.version === file.version;
  return {
    file_id: file.fileId,
    parent_id: file.parentId,
    name: file.name,
    kind,
    created_at: file.createdAt,
    sha256: isSameDocument ? known.sha256 : file.sha256,
    size: file.size,
    head_revision: file.headRevisionId,
    version: file.version,
    trashed: file.isTrashedItself ? 1 : 0,
    unseen: 0,
    own: known?.own ?? 0,
    path: known?.path ?? null,
    key: known?.key ?? null,
    writing: null,
    session: null,
    unwanted: file.sha256 === null || file.sha256 !== known?.unwanted ? null : file.sha256,
    pending,
    problem: known?.problem ?? null,
  };
}

/** The row of a folder that is created next. It is stored before, so that a repeated creation uses the same id. */
export const plannedItem = ({ fileId, name, parentId }: NewFolder, path: string): DriveItem => ({
  file_id: fileId,
  parent_id: parentId,
  name,
  kind: 'folder',
  created_at: 0,
  sha256: null,
  size: null,
  head_revision: null,
  version: 0,
  trashed: 0,
  unseen: 0,
  own: 1,
  path,
  key: null,
  writing: null,
  session: null,
  unwanted: null,
  pending: null,
  problem: null,
});
