import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { studioConfig } from './vite-config.ts';

const TEXT = /\.(?:html|js|css|svg|webmanifest)$/;
const asGzip = promisify(gzip);
const asBrotli = promisify(brotliCompress);

/** Builds the web app into a folder, each text beside its compressed forms, with `files.json` as the list of all. */
export async function buildStudio(outDir: string): Promise<void> {
  await build(studioConfig(outDir));
  const paths = globSync('**/*.*', { cwd: outDir })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.endsWith('.map'));
  nameFiles(outDir, paths);
  const files = await Promise.all(paths.sort().map((path) => compressed(outDir, path)));
  writeFileSync(join(outDir, 'files.json'), `${JSON.stringify({ files }, null, 1)}\n`);
}

/** Tells the service worker which files to keep. Any change of a build changes its worker too, so browsers notice it. */
function nameFiles(folder: string, paths: readonly string[]): void {
  const worker = join(folder, 'sw.js');
  const kept = paths.filter((path) => path !== 'sw.js' && path !== 'index.html');
  const build = createHash('sha256')
    .update(kept.join('\n'))
    .update(readFileSync(join(folder, 'index.html')));
  const text = readFileSync(worker, 'utf8');
  for (const place of ['@build@', '@files@'])
    if (!text.includes(place)) throw new Error(`sw.js has no ${place}`);
  writeFileSync(
    worker,
    text.replace('@build@', build.digest('hex').slice(0, 12)).replace('@files@', kept.join(' ')),
  );
}

async function compressed(folder: string, path: string) {
  const file = join(folder, path);
  const bytes = readFileSync(file);
  if (!TEXT.test(path)) return { path, bytes: bytes.length };
  const [zipped, brotli] = await Promise.all([
    asGzip(bytes, { level: 9 }),
    asBrotli(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  ]);
  writeFileSync(`${file}.gz`, zipped);
  writeFileSync(`${file}.br`, brotli);
  return { path, bytes: bytes.length, gzip: zipped.length, brotli: brotli.length };
}
