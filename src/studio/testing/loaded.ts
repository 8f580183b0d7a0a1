import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const DIST = join(import.meta.dirname, '../../../dist/studio');

export interface BuiltFile {
  path: string;
  bytes: number;
  gzip?: number;
  brotli?: number;
}

/** The files of the build, as `files.json` lists them. */
export const builtFiles = (): BuiltFile[] => JSON.parse(readFileSync(join(DIST, 'files.json'), 'utf8')).files;

/** The scripts that the page names itself, so that nothing shows before they have loaded. */
export function firstScripts(): BuiltFile[] {
  const page = readFileSync(join(DIST, 'index.html'), 'utf8');
  return builtFiles().filter(({ path }) => path.endsWith('.js') && page.includes(`/studio/${path}`));
}

export const gzipKb = (files: readonly BuiltFile[]): number =>
  files.reduce((sum, { bytes, gzip = bytes }) => sum + gzip, 0) / 1024;

export const brotliKb = (files: readonly BuiltFile[]): number =>
  files.reduce((sum, { bytes, brotli = bytes }) => sum + brotli, 0) / 1024;

/** The files of the build that a page has loaded since its last navigation. */
export async function loadedFiles(page: Page): Promise<BuiltFile[]> {
  const paths = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  );
  return builtFiles().filter(({ path }) => paths.includes(`/studio/${path}`));
}
