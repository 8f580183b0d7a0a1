import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ShippedTemplate } from '../world/definitions/index.ts';
import { packageRoot } from './package-root.ts';

const FOLDER = '_Templates/Standard';

/** The templates that Canonry brings along. */
export async function readShippedTemplates(): Promise<ShippedTemplate[]> {
  const folder = join(packageRoot(), 'starter', FOLDER);
  const names = (await readdir(folder)).sort();
  return Promise.all(
    names.map(async (name) => ({
      path: `${FOLDER}/${name}`,
      text: await readFile(join(folder, name), 'utf8'),
    })),
  );
}
