import { SIDECAR_NAME } from '../assets/places.ts';
import { isSkillPath } from '../skills/index.ts';
import type { TemplateDefinition } from '../template/index.ts';
import { extensionOf, mimeTypeOf } from './mime.ts';
import { isSystemName } from './system-names.ts';

export type EntryType = 'markdown' | 'asset' | 'template' | 'rule' | 'other';
export type PathRole = 'entity' | 'asset' | 'template' | 'rule' | 'skill' | 'recycled' | 'plugin' | 'other';

/** Derived from the path alone. */
export interface PathClass {
  /** As in the manifest (spec 1 §2.6). */
  entry_type: EntryType;
  entity_type: string | null;
  /** The entity folder's name; the frontmatter may name another id. */
  entity_id: string | null;
  /** `entity`: markdown directly in an entity's folder. */
  role: PathRole;
}

/** By the name of their type folder. */
export type TypeFolders = ReadonlyMap<string, TemplateDefinition>;

export function typeFolders(templates: Iterable<TemplateDefinition>): TypeFolders {
  return new Map(Array.from(templates, (template) => [template.folder_name, template]));
}

function plain(entry_type: EntryType, role: PathRole): PathClass {
  return { entry_type, entity_type: null, entity_id: null, role };
}

const OTHER = plain('other', 'other');

function inOwnFolder(folder: string, path: string, depth: number): PathClass {
  const extension = extensionOf(path);
  switch (folder) {
    case '_Templates':
      return /^_Templates\/(Core|Standard|Custom)\/[^/]+_TEMPLATE\.md$/.test(path)
        ? plain('template', 'template')
        : OTHER;
    case '_Rules':
      return depth === 2 && extension === 'md' ? plain('rule', 'rule') : OTHER;
    case '_Skills':
      return plain('other', isSkillPath(path) ? 'skill' : 'other');
    case '_RecycleBin':
      return plain('other', 'recycled');
    case '_Plugins':
      return plain('other', 'plugin');
    default:
      return OTHER;
  }
}

/** Images, sound, film and models are assets anywhere; text and data only in an entity's folder. */
function isMedia(path: string): boolean {
  return /^(image|audio|video|model)\//.test(mimeTypeOf(path) ?? '') || extensionOf(path) === 'fbx';
}

function outsideEntities(path: string, entityType: string | null): PathClass {
  const extension = extensionOf(path);
  const base = isMedia(path)
    ? plain('asset', 'asset')
    : plain(extension === 'md' ? 'markdown' : 'other', 'other');
  return entityType === null ? base : { ...base, entity_type: entityType };
}

/**
 * Paths are relative to the project's root, with `/`, and case-sensitive. Hidden entries, files that systems add, and
 * unknown folders that begin with `_` are `other`.
 */
export function classifyPath(path: string, folders: TypeFolders): PathClass {
  if (path.startsWith('.') || path.includes('/.')) return OTHER;
  const segments = path.split('/');
  if (isSystemName(segments.at(-1) ?? '')) return OTHER;
  const [folder = '', entity = ''] = segments;
  if (folder.startsWith('_')) return inOwnFolder(folder, path, segments.length);
  const template = segments.length < 2 ? undefined : folders.get(folder);
  if (template === undefined) return outsideEntities(path, null);
  if (segments.length < 3) return outsideEntities(path, template.entity_type);
  if (path.endsWith(`/${SIDECAR_NAME}`))
    return { ...OTHER, entity_type: template.entity_type, entity_id: entity };
  const isMarkdown = extensionOf(path) === 'md';
  return {
    entry_type: isMarkdown ? 'markdown' : 'asset',
    entity_type: template.entity_type,
    entity_id: entity,
    role: isMarkdown && segments.length === 3 ? 'entity' : 'asset',
  };
}
