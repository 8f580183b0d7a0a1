import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { newPrivateKey, privateKeyIn, publicBytesOf, signBytes } from '../../src/kit/ed25519.ts';
import { listen } from './oauth/listen.ts';

/** Whoever keeps a catalog. */
export interface Keeper {
  /** The public key as `PLUGIN_CATALOG_KEY` takes it. */
  key: string;
  publicKey: Uint8Array;
  pem: string;
  /** The text of a signature file. */
  sign(bytes: Uint8Array): string;
}

export function newKeeper(): Keeper {
  const pem = newPrivateKey();
  const privateKey = privateKeyIn(pem);
  if (privateKey === null) throw new Error('the new key cannot be read');
  const publicKey = publicBytesOf(privateKey);
  return {
    pem,
    publicKey,
    key: Buffer.from(publicKey).toString('base64'),
    sign: (bytes) => `${Buffer.from(signBytes(privateKey, bytes)).toString('base64')}\n`,
  };
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** As it stands in an index; `word-count` unless `more` says otherwise. */
export const entryFor = (archive: Uint8Array, more: object = {}): Record<string, unknown> => ({
  id: 'word-count',
  kind: 'plugins',
  source: 'community',
  name: 'Word count',
  version: '1.0.0',
  description: 'Counts words.',
  author: 'Mira Voss',
  license: 'MIT',
  trust_tier: 'community',
  permissions: [],
  size: archive.length,
  sha256: sha256(archive),
  url: 'word-count.zip',
  ...more,
});

export type CatalogFiles = Record<string, Uint8Array | string>;

/** An index and its signature, by the names of their files. */
export function signedIndex(keeper: Keeper, items: readonly object[], more: object = {}): CatalogFiles {
  const bytes = Buffer.from(JSON.stringify({ format: 1, sequence: 1, items, ...more }));
  return { 'catalog.json': bytes, 'catalog.json.sig': keeper.sign(bytes) };
}

export interface CatalogServer {
  /** Of `catalog.json`. */
  url: string;
  /** Serves these files from now on, besides those that were there. */
  put(files: CatalogFiles): void;
  /** Answers one path in another way from now on; null as it was. */
  answer(path: string, how: RequestListener | null): void;
  /** The paths that were asked for, in order. */
  asked: string[];
  /** From now on it ends each connection. */
  state(is: 'up' | 'away'): void;
  close(): Promise<void>;
}

/** On a free local port; files have entity tags. */
export async function startCatalogServer(given: CatalogFiles = {}): Promise<CatalogServer> {
  const files = new Map(Object.entries(given));
  const answers = new Map<string, RequestListener>();
  const asked: string[] = [];
  let isAway = false;
  const serve: RequestListener = (request, response) => {
    const path = (request.url ?? '').slice(1);
    if (isAway) return void response.destroy();
    asked.push(path);
    const own = answers.get(path);
    if (own) return own(request, response);
    const content = files.get(path);
    if (content === undefined) return void response.writeHead(404).end('not here');
    const etag = `"${sha256(Buffer.from(content))}"`;
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
    response.writeHead(200, { etag }).end(content);
  };
  const server = await listen(async () => serve);
  return {
    url: `${server.url}/catalog.json`,
    asked,
    put(more) {
      for (const [path, content] of Object.entries(more)) files.set(path, content);
    },
    answer(path, how) {
      if (how === null) answers.delete(path);
      else answers.set(path, how);
    },
    state(is) {
      isAway = is === 'away';
    },
    close: server.close,
  };
}
