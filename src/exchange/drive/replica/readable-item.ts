import { decodeUtf8 } from '../../../content/frontmatter/index.ts';
import { classifyPath, isConflictCopy, mainFileOf } from '../../../content/paths/index.ts';
import type { TemplateDefinition } from '../../../content/template/index.ts';
import { checksumOf, sha256Hex } from '../../../kit/crypto.ts';
import { HttpError } from '../../../kit/errors.ts';
import { folderOf, isHiddenName } from '../../../platform/files/paths.ts';
import { nameOf } from '../../../text/paths.ts';
import type { TemplateSet } from '../../../world/definitions/index.ts';
import { RECYCLE_ROOT, readEntityFile } from '../../../world/texts/index.ts';
import { contentPath } from '../../replication/index.ts';
import { entityKey, fileKey, type RemoteItem } from '../../sync/index.ts';
import { type DriveItem, isEntitys } from './drive-items.store.ts';

export type Placed = DriveItem & { path: string };

/** Hidden files and the recycle bin are no content anywhere. */
export const isContent = (path: string): boolean => {
  const names = path.split('/');
  return !names.some(isHiddenName) && names[0] !== RECYCLE_ROOT;
};

/** The reason the path cannot be taken over; undefined if it can. */
export function problemOfPath(path: string): string | undefined {
  try {
    contentPath(path);
    return undefined;
  } catch (error) {
    if (error instanceof HttpError) return error.message;
    throw error;
  }
}

/** The template if a file at this path can be an entity's own. */
export function templateAt(
  { byFolder }: TemplateSet,
  { path, kind }: Placed,
): TemplateDefinition | undefined {
  const { role } = classifyPath(path, byFolder);
  if (kind !== 'file' || role !== 'entity' || isConflictCopy(path)) return undefined;
  return byFolder.get(path.slice(0, path.indexOf('/')));
}

/** The file in an entity's folder that has the name of the entity's own one. */
export const specifiedOf = (
  beside: readonly Placed[],
  { file_prefix }: TemplateDefinition,
  folder: string,
): Placed | undefined => beside.find(({ path }) => nameOf(path) === `${file_prefix}${folder}.md`);

/** True for the entity's own file in its folder. One without the specified name keeps this role if it had it before, as on disk. */
export function isMainFile(item: Placed, template: TemplateDefinition, beside: readonly Placed[]): boolean {
  const folder = nameOf(folderOf(item.path));
  const known = beside.find(isEntitys);
  const main = specifiedOf(beside, template, folder) ?? known ?? mainFileOf(beside, template, folder);
  return main?.file_id === item.file_id;
}

export type ReadItem = { item: RemoteItem } | { problem: string };

export function readEntity(template: TemplateDefinition, { path }: Placed, bytes: Uint8Array): ReadItem {
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) return { problem: `${path}:${decoded.problem.line} ${decoded.problem.reason}` };
  const { text } = decoded;
  const read = readEntityFile(template, { path, text, checksum: checksumOf(bytes) });
  if (!read.ok) return { problem: `${path}:${read.problem.line} cannot be read: ${read.problem.reason}` };
  const { entity_type: type, entity_id: id } = read.state;
  const item: RemoteItem = {
    key: entityKey(type, id),
    kind: 'entity',
    type,
    id,
    version: 0,
    path,
    sha256: sha256Hex(bytes),
    content: text,
    updatedBy: null,
  };
  return { item };
}

export const fileItem = ({ path, sha256, size }: Placed, bytes: Uint8Array | null): RemoteItem => ({
  key: fileKey(path),
  kind: 'file',
  path,
  sha256: bytes === null ? (sha256 ?? '') : sha256Hex(bytes),
  size: bytes === null ? (size ?? 0) : bytes.length,
  bytes: bytes === null ? null : Buffer.from(bytes).toString('base64'),
  encoding: 'base64',
});
