import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

export const STUDIO_SCRIPT = `/studio/assets/main-1a2b3c4d.js`;
export const STUDIO_PAGE = `<!doctype html><title>Canonry</title><script type="module" src="${STUDIO_SCRIPT}"></script>`;

const TEXTS: Readonly<Record<string, string>> = {
  'index.html': STUDIO_PAGE,
  'sw.js': 'self.addEventListener("fetch", () => {});',
  'manifest.webmanifest': '{"name":"Canonry"}',
  'assets/main-1a2b3c4d.js': 'console.log("Canonry");'.repeat(50),
  'assets/main-5e6f7a8b.css': 'body{margin:0}'.repeat(50),
  'icons/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
};
const UNLISTED: Readonly<Record<string, string>> = { 'assets/main-1a2b3c4d.js.map': '{}', 'notes.txt': 'x' };
const PICTURE = Buffer.from('89504e470d0a1a0a', 'hex');

export interface BuiltStudio {
  folder: string;
  remove(): void;
}

/** A folder as the build of the web app leaves it. */
export function buildStudio(): BuiltStudio {
  const root = mkdtempSync(join(tmpdir(), 'studio-'));
  const folder = join(root, 'studio');
  const save = (path: string, bytes: string | Buffer) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  };
  for (const [path, text] of Object.entries(TEXTS)) {
    save(path, text);
    save(`${path}.br`, brotliCompressSync(text));
    save(`${path}.gz`, gzipSync(text));
  }
  for (const [path, text] of Object.entries(UNLISTED)) save(path, text);
  save('assets/logo-9c8d7e6f.png', PICTURE);
  writeFileSync(join(root, 'secret.txt'), 'secret');
  symlinkSync(join(root, 'secret.txt'), join(folder, 'assets/link-0a0a0a0a.js'));
  const listed = [
    ...Object.keys(TEXTS),
    'assets/logo-9c8d7e6f.png',
    'assets/link-0a0a0a0a.js',
    '../secret.txt',
  ];
  save(
    'files.json',
    JSON.stringify({ files: listed.map((path) => ({ path, bytes: 1, gzip: 1, brotli: 1 })) }),
  );
  return { folder, remove: () => rmSync(root, { recursive: true, force: true }) };
}
