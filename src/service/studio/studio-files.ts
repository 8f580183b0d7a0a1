import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from 'typebox';
import { ENCODINGS, type Encoding } from '../../kit/http/accepted-encoding.ts';
import { createChecker } from '../../kit/http/validation.ts';

export interface StudioFile {
  path: string;
  mediaType: string;
  /** Its name holds a hash of its bytes, so it never changes. */
  isHashed: boolean;
  /** Of its compressed copies. */
  encodings: readonly Encoding[];
}

export interface StudioFiles {
  page: StudioFile;
  worker: StudioFile | undefined;
  manifest: StudioFile | undefined;
  /** The files that the page loads, by path; nothing else in the folder is served. */
  assets: ReadonlyMap<string, StudioFile>;
  read(file: StudioFile, encoding: Encoding | null): Promise<Buffer>;
}

const PAGE = 'index.html';
const WORKER = 'sw.js';
const MANIFEST = 'manifest.webmanifest';
const LIST = 'files.json';
/** The build gives the manifest the address of the other files as well. */
const SERVED_ELSEWHERE = new Set([PAGE, WORKER, LIST]);

const EXTENSIONS: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };
const HASHED = /^assets\/.*-[\w-]{8,}\.\w+$/;

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  webmanifest: 'application/manifest+json; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  wasm: 'application/wasm',
};

const mediaTypeOf = (path: string): string =>
  MEDIA_TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';

const checkList = createChecker(
  Type.Object({ files: Type.Array(Type.Object({ path: Type.String({ minLength: 1 }) })) }),
);

/** Finds what the build of the web app made; null where it was not built. */
export async function openStudioFiles(folder: string): Promise<StudioFiles | null> {
  const present = await pathsIn(folder);
  if (!present.has(PAGE) || !present.has(LIST)) return null;
  const fileOf = (path: string): StudioFile => ({
    path,
    mediaType: mediaTypeOf(path),
    isHashed: HASHED.test(path),
    encodings: ENCODINGS.filter((encoding) => present.has(path + EXTENSIONS[encoding])),
  });
  const fileIfPresent = (path: string) => (present.has(path) ? fileOf(path) : undefined);
  const listed = await readList(join(folder, LIST));
  const assets = listed.filter((path) => present.has(path) && !SERVED_ELSEWHERE.has(path));
  return {
    page: fileOf(PAGE),
    worker: fileIfPresent(WORKER),
    manifest: fileIfPresent(MANIFEST),
    assets: new Map(assets.map((path) => [path, fileOf(path)])),
    read: (file, encoding) =>
      readFile(join(folder, encoding === null ? file.path : file.path + EXTENSIONS[encoding])),
  };
}

/** Paths with `/`, of all files at any depth. */
async function pathsIn(folder: string): Promise<Set<string>> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  const files = found.filter((entry) => entry.isFile());
  return new Set(
    files.map(({ parentPath, name }) =>
      join(parentPath, name).slice(join(folder, '/').length).replaceAll('\\', '/'),
    ),
  );
}

async function readList(path: string): Promise<string[]> {
  const list: unknown = JSON.parse(await readFile(path, 'utf8'));
  if (checkList(list) !== null)
    throw new Error(`${path} is not the list of files that the build writes: build the web app again`);
  return (list as { files: { path: string }[] }).files.map((file) => file.path);
}
