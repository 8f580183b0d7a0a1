import { nameOf } from '../../text/paths.ts';
import { mimeTypeOf } from '../paths/index.ts';
import type { TemplateDefinition } from '../template/index.ts';
import { createVaultPaths } from './vault-paths.ts';
import { keyOf } from './words.ts';

/** By how notes name them. */
export interface Attachments {
  /** Undefined for none, or for several. */
  find(name: string, notePath: string, kind?: 'wiki' | 'markdown'): string | undefined;
}

export function createAttachments(paths: Iterable<string>): Attachments {
  const files = createVaultPaths<string>();
  for (const path of new Set(paths)) files.add(path, path);
  return {
    find(name, notePath, kind = 'wiki') {
      const found = files.find(name, notePath, kind);
      return found === 'ambiguous' ? undefined : found;
    },
  };
}

function subfolderOf(path: string, { asset_subfolders: folders }: TemplateDefinition): string {
  const kind = (mimeTypeOf(path) ?? '').split('/')[0];
  const wanted =
    kind === 'image' ? 'images' : kind === 'audio' ? 'audio' : kind === 'video' ? 'video' : 'data';
  return folders.includes(wanted)
    ? wanted
    : (folders.find((folder) => folder === 'data') ?? folders[0] ?? 'data');
}

/** From the entity's folder: `images/portrait.png`; a taken name gets a number. */
export function placeOfAttachment(
  path: string,
  template: TemplateDefinition,
  taken: Iterable<string>,
): string {
  const name = nameOf(path);
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot) : '';
  // A hidden file, or a name of letters that no file system shares, would be no asset.
  const stem = (dot > 0 ? name.slice(0, dot) : name)
    .replaceAll(/[\p{Cc}<>:"|?*\\/]/gu, '_')
    .replace(/^\.+/, '');
  const folder = subfolderOf(path, template);
  const used = new Set([...taken].map((place) => place.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const place = `${folder}/${stem || keyOf(folder)}${number === 1 ? '' : `_${number}`}${extension}`;
    if (!used.has(place.toLowerCase())) return place;
  }
}
