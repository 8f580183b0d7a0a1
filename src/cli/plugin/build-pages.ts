import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { bundle } from './bundle.ts';
import type { PluginFiles } from './folder.ts';
import type { Problem } from './problems.ts';

const SCRIPT = /^(?!guest\.)[^.]+\.(?:tsx?|jsx?|mts|mjs)$/;

export interface BuiltFiles {
  files: PluginFiles;
  problems: Problem[];
}

/** A script for each source right in `src/`, but for the guest. */
export async function buildPages(folder: string, forDevelopment: boolean): Promise<BuiltFiles> {
  const names = (await readdir(join(folder, 'src'))).filter((name) => SCRIPT.test(name)).sort();
  if (names.length === 0) return { files: new Map(), problems: [] };
  const out = join(folder, 'dist');
  const bundled = await bundle(folder, {
    entryPoints: names.map((name) => `src/${name}`),
    entryNames: '[name]',
    outdir: out,
    platform: 'browser',
    target: 'es2022',
    minify: !forDevelopment,
    sourcemap: forDevelopment ? 'inline' : false,
  });
  if (!bundled.ok) return { files: new Map(), problems: bundled.problems };
  const files = bundled.result.outputFiles.map(({ path, contents }): [string, Uint8Array] => [
    relative(out, path).split(sep).join('/'),
    contents,
  ]);
  return { files: new Map(files), problems: [] };
}
