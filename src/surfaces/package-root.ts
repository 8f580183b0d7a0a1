import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json and `starter/`, found from the sources and from the bundle in `dist/` alike. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('The files that Canonry ships are missing: install it again');
    folder = parent;
  }
  return folder;
}

/** Where the build puts the web app. */
export const studioFolder = (): string => join(packageRoot(), 'dist', 'studio');

export function packageVersion(): string {
  const text = readFileSync(join(packageRoot(), 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
