import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { packageRoot } from '../../surfaces/package-root.ts';
import type { Kind } from './kinds.ts';

/** The folder of a plugin with the helpers, and with the world of guests among them. */
const HELPERS = 'canonry';
export const WIT_PATH = `${HELPERS}/plugin.wit`;

const starterFolder = (...parts: string[]): string => join(packageRoot(), 'starter', 'plugin', ...parts);

export const shippedWit = (): string => starterFolder(WIT_PATH);
export const readWit = (): Promise<string> => readFile(shippedWit(), 'utf8');

interface Parts {
  /** Folders of the starter; files of later ones replace those of earlier ones. */
  folders: readonly string[];
  helpers: readonly string[];
}

const FRONT = ['entity.ts', 'panel.ts'];
const BACK = ['entity.ts', 'guest.ts', 'plugin.wit', 'world.d.ts'];

const PARTS: Readonly<Record<Kind, Parts>> = {
  panel: { folders: ['all', 'front', 'panel'], helpers: FRONT },
  widget: { folders: ['all', 'front', 'widget'], helpers: FRONT },
  page: { folders: ['all', 'front', 'page'], helpers: FRONT },
  guest: { folders: ['all', 'back', 'guest'], helpers: BACK },
  full: {
    folders: ['all', 'front', 'panel', 'widget', 'page', 'back', 'full'],
    helpers: [...FRONT, ...BACK],
  },
};

/** Texts by path: a plugin with the id `my-plugin` and the name `My plugin`. */
export async function readStarter(kind: Kind): Promise<Map<string, string>> {
  const { folders, helpers } = PARTS[kind];
  const texts = new Map<string, string>();
  for (const part of folders) {
    const folder = starterFolder(part);
    for (const path of await filesBelow(folder)) texts.set(path, await readFile(join(folder, path), 'utf8'));
  }
  for (const name of helpers)
    texts.set(`${HELPERS}/${name}`, await readFile(starterFolder(HELPERS, name), 'utf8'));
  return texts;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return files.map((path) => relative(folder, path).split(sep).join('/'));
}
