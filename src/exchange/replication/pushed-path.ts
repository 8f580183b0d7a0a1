import { classifyPath, entityFolder, isConflictCopy } from '../../content/paths/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { invalid } from '../../kit/errors.ts';
import { FilesError } from '../../platform/files/files.ts';
import { isHiddenName, safePath } from '../../platform/files/paths.ts';
import { RECYCLE_ROOT } from '../../world/texts/index.ts';

/** In bytes; the limit of common file systems. */
const LONGEST_NAME = 255;

const refusal = (path: string, why: string) =>
  invalid(`'${path}' is no place for content: ${why}`, {
    code: 'invalid_path',
    errors: [{ field: 'path', message: why }],
  });

/** 422 for a path that leaves the content folder. */
export function contentPath(path: string): string {
  try {
    safePath(path);
  } catch (error) {
    if (error instanceof FilesError) throw refusal(path, error.message);
    throw error;
  }
  const names = path.split('/');
  if (names.some(isHiddenName)) throw refusal(path, 'hidden files and node_modules are no content');
  if (names.some((name) => Buffer.byteLength(name) > LONGEST_NAME))
    throw refusal(path, 'a name in it is too long');
  if (names[0] === RECYCLE_ROOT) throw refusal(path, 'the recycle bin is not replicated');
  return path;
}

/** The same for an entity's main file: markdown directly in a subfolder of its type's folder. */
export function entityPath(template: TemplateDefinition, path: string): string {
  contentPath(path);
  const folders = new Map([[template.folder_name, template]]);
  const isPlace = classifyPath(path, folders).role === 'entity' && !isConflictCopy(path);
  if (!isPlace)
    throw refusal(path, `entities of this type lie in ${template.folder_name}/<folder>/<file>.md`);
  return path;
}

/** True for the folder that an entity has by default. */
export function isOwnPlace(template: TemplateDefinition, entityId: string, path: string): boolean {
  const folder = `${entityFolder(template, entityId)}/`;
  const name = path.slice(folder.length);
  return path.startsWith(folder) && /^[A-Za-z0-9][\w-]{0,150}\.md$/.test(name);
}
