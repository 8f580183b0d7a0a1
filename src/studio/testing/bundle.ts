import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { adoptStyleSheets } from '../build/style-mod.ts';

/** Texts of the files that a page loads, by name. `entry.js` is the first one, `entry.css` its styles if there are any. */
export type PageFiles = ReadonlyMap<string, string>;

const adoptedStyles: Plugin = {
  name: 'adopted-styles',
  setup(build) {
    build.onLoad({ filter: /[\\/]style-mod[\\/]src[\\/]style-mod\.js$/ }, async ({ path }) => ({
      contents: adoptStyleSheets(await readFile(path, 'utf8')),
    }));
  },
};

/** As the release is built, without its hashed names. */
export async function bundlePage(entry: string): Promise<PageFiles> {
  const { outputFiles } = await build({
    entryPoints: { entry },
    outdir: '/',
    bundle: true,
    splitting: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    jsx: 'automatic',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: { '.module.css': 'local-css' },
    plugins: [adoptedStyles],
    logLevel: 'error',
  });
  return new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
}
