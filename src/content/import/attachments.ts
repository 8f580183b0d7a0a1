import { mimeTypeOf } from '../paths/index.ts';
import type { TemplateDefinition } from '../template/index.ts';
import { keyOf } from './words.ts';

/** The files that came along with notes, by how notes name them. */
export interface Attachments {
  /** The path of the file that `name` means in the note at `notePath`; undefined for none, or for several. */
  find(name: string, notePath: string): string | undefined;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export function createAttachments(paths: Iterable<string>): Attachments {
  const all = new Set(paths);
  const byName = new Map<string, string[]>();
  for (const path of all) {
    const name = nameOf(path).toLowerCase();
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [path]);
    else known.push(path);
  }
  return {
    find(name, notePath) {
      const near = joined(notePath.split('/').slice(0, -1), name);
      if (near !== undefined && all.has(near)) return near;
      const whole = joined([], name);
      if (whole !== undefined && all.has(whole)) return whole;
      const named = byName.get(nameOf(name).toLowerCase()) ?? [];
      return named.length === 1 ? named[0] : undefined;
    },
  };
}

/** A path against a folder, with `.` and `..` gone; undefined when it leads out of what was imported. */
function joined(folder: readonly string[], path: string): string | undefined {
  const parts = path.startsWith('/') ? [] : [...folder];
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

/** The asset folder of an entity that a file belongs to. */
function subfolderOf(path: string, { asset_subfolders: folders }: TemplateDefinition): string {
  const kind = (mimeTypeOf(path) ?? '').split('/')[0];
  const wanted =
    kind === 'image' ? 'images' : kind === 'audio' ? 'audio' : kind === 'video' ? 'video' : 'data';
  return folders.includes(wanted)
    ? wanted
    : (folders.find((folder) => folder === 'data') ?? folders[0] ?? 'data');
}

/** Where an attachment goes, from the entity's folder: `images/portrait.png`; a name that is taken gets a number. */
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
