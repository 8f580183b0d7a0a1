import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Downloads } from '../../../platform/outgoing/downloads.ts';
import { CatalogFault } from './catalog-fault.ts';
import { LARGEST_INDEX } from './catalog-index.ts';
import { type CatalogSource, LARGEST_SIGNATURE, SIGNATURE_ENDING } from './catalog-source.ts';
import { isFetchable } from './entry-faults.ts';
import { archiveUnavailable, fetchArchive } from './fetched-archive.ts';

/** A catalog in a folder of this machine. Its entries may lie elsewhere. */
export function createFileSource(path: string, downloads: Downloads): CatalogSource {
  const signaturePath = `${path}${SIGNATURE_ENDING}`;
  return {
    freshMs: 0,
    async read(mark) {
      const found = `${await markOf(path, LARGEST_INDEX)} ${await markOf(signaturePath, LARGEST_SIGNATURE)}`;
      if (found === mark) return null;
      const bytes = await readFile(path).catch(unreadable(path));
      const signature = await readFile(signaturePath, 'utf8').catch(unreadable(signaturePath));
      return { bytes, signature, mark: found };
    },
    async openArchive(url, read) {
      if (isFetchable(url)) return fetchArchive(downloads, url, read);
      const archive = join(dirname(path), url);
      const isThere = await stat(archive).then(
        (found) => found.isFile(),
        () => false,
      );
      if (!isThere) throw archiveUnavailable(`there is no file ${url} beside the catalog`);
      const stream = createReadStream(archive);
      return read(stream).finally(() => stream.destroy());
    },
  };
}

async function markOf(path: string, mostBytes: number): Promise<string> {
  const { ino, mtimeMs, size } = await stat(path).catch(unreadable(path));
  if (size > mostBytes)
    throw new CatalogFault('catalog_too_large', `${basename(path)} has more than ${mostBytes} bytes`);
  return `${ino}-${mtimeMs}-${size}`;
}

const unreadable =
  (path: string) =>
  (error: unknown): never => {
    throw new CatalogFault('catalog_unavailable', `The file ${basename(path)} cannot be read`, {
      cause: error,
    });
  };
