import { BodyTooLarge, readBounded } from '../../../kit/http/bounded-body.ts';
import { DownloadError } from '../../../platform/outgoing/download-error.ts';
import type { Downloads } from '../../../platform/outgoing/downloads.ts';
import type { CatalogProblemCode } from './catalog.contract.ts';
import { CatalogFault } from './catalog-fault.ts';
import { LARGEST_INDEX } from './catalog-index.ts';
import { type CatalogSource, LARGEST_SIGNATURE, SIGNATURE_ENDING } from './catalog-source.ts';
import { fetchArchive } from './fetched-archive.ts';

export interface AddressSourceOptions {
  /** Of the index. */
  url: string;
  downloads: Downloads;
  /** For the index, and once more for its signature. */
  withinMs?: number;
}

const FRESH_MS = 5 * 60_000;
const WITHIN_MS = 10_000;

/** A catalog at an address. */
export function createAddressSource(options: AddressSourceOptions): CatalogSource {
  const { url, downloads, withinMs = WITHIN_MS } = options;
  const signatureUrl = new URL(url);
  signatureUrl.pathname += SIGNATURE_ENDING;

  /** Null if the other side says that nothing changed. */
  const fetchBytes = (address: string, mostBytes: number, mark: string | null) =>
    downloads
      .get(
        { url: address, withinMs, ...(mark !== null && { headers: { 'if-none-match': mark } }) },
        async ({ status, etag, content }) => {
          if (status === 304 && mark !== null) return null;
          if (status !== 200)
            throw new CatalogFault(
              'catalog_unavailable',
              status >= 300 && status < 400
                ? `The catalog is somewhere else by now (status ${status}): redirects are not followed, name its new address`
                : `The catalog cannot be fetched: the answer has the status ${status}`,
            );
          return { bytes: (await readBounded(content(), mostBytes)) ?? new Uint8Array(), mark: etag };
        },
      )
      .catch((error: unknown) => {
        throw faultOf(error);
      });

  return {
    freshMs: FRESH_MS,
    async read(mark) {
      const index = await fetchBytes(url, LARGEST_INDEX, mark);
      if (index === null) return null;
      const signature = await fetchBytes(signatureUrl.href, LARGEST_SIGNATURE, null);
      return { ...index, signature: Buffer.from(signature?.bytes ?? []).toString() };
    },
    openArchive: (path, read) => fetchArchive(downloads, new URL(path, url).href, read),
  };
}

function faultOf(error: unknown): unknown {
  if (error instanceof BodyTooLarge) return unusable('catalog_too_large', error);
  return error instanceof DownloadError ? unusable('catalog_unavailable', error) : error;
}

const unusable = (code: CatalogProblemCode, { message, cause }: Error): CatalogFault =>
  new CatalogFault(code, `The catalog cannot be fetched: ${message}`, { cause });
