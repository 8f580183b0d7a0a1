import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

interface DocsAsset {
  etag: string;
  type: string;
  read(): Promise<Uint8Array | string>;
}

interface PackagedFile {
  source: string;
  type: string;
  /** Matches addresses outside the service, which are replaced by a transparent pixel. */
  removeOutside?: RegExp;
}

const PACKAGED: Readonly<Record<string, PackagedFile>> = {
  'swagger-ui-bundle.js': {
    source: 'swagger-ui-dist/swagger-ui-bundle.js',
    type: 'text/javascript; charset=utf-8',
  },
  'swagger-ui.css': { source: 'swagger-ui-dist/swagger-ui.css', type: 'text/css; charset=utf-8' },
  'favicon-32x32.png': { source: 'swagger-ui-dist/favicon-32x32.png', type: 'image/png' },
  'redoc.standalone.js': {
    source: 'redoc/bundles/redoc.standalone.js',
    type: 'text/javascript; charset=utf-8',
    removeOutside: /https:\/\/cdn\.redoc\.ly\/[\w./-]+/g,
  },
};

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

/** Null for any other name. Read at each use: the files are large and rarely needed. */
export async function packagedAsset(name: string): Promise<DocsAsset | null> {
  const file = Object.hasOwn(PACKAGED, name) ? PACKAGED[name] : undefined;
  if (!file) return null;
  const path = await locate(name, file.source);
  const { size, mtimeMs } = await stat(path);
  const { removeOutside } = file;
  return {
    etag: `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`,
    type: file.type,
    read: async () =>
      removeOutside ? (await readFile(path, 'utf8')).replaceAll(removeOutside, PIXEL) : readFile(path),
  };
}

/** The build puts the files beside the bundle; from source they lie in their packages. */
async function locate(name: string, source: string): Promise<string> {
  const beside = fileURLToPath(new URL(`./docs-assets/${name}`, import.meta.url));
  const isBuilt = await stat(beside).then(
    () => true,
    () => false,
  );
  return isBuilt ? beside : fileURLToPath(import.meta.resolve(source));
}
