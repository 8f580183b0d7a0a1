import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { packageRoot } from '../../surfaces/package-root.ts';
import type { Kind } from './kinds.ts';

const starterFolder = (part: string): string => join(packageRoot(), 'starter', 'plugin', part);

/** Where the world of guests is kept in a plugin's folder. */
export const WIT_PATH = 'canonry/plugin.wit';

export const shippedWit = (): string => join(starterFolder('back'), WIT_PATH);
export const readWit = (): Promise<string> => readFile(shippedWit(), 'utf8');

/** Folders of the starter whose files make a plugin of this kind; later ones replace files of earlier ones. */
const PARTS: Readonly<Record<Kind, readonly string[]>> = {
  panel: ['all', 'front', 'panel'],
  widget: ['all', 'front', 'widget'],
  page: ['all', 'front', 'page'],
  guest: ['all', 'back', 'guest'],
  full: ['all', 'front', 'panel', 'widget', 'page', 'back', 'full'],
};

/** Texts by path: a plugin with the id `my-plugin` and the name `My plugin`. */
export async function readStarter(kind: Kind): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const part of PARTS[kind]) {
    const folder = starterFolder(part);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((each) => each.isFile())) {
      const path = join(entry.parentPath, entry.name);
      texts.set(relative(folder, path).split(sep).join('/'), await readFile(path, 'utf8'));
    }
  }
  return texts;
}
