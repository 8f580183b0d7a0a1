import { badGateway, type HttpError } from '../../../kit/errors.ts';
import { DownloadError } from '../../../platform/outgoing/download-error.ts';
import type { Downloads } from '../../../platform/outgoing/downloads.ts';
import type { ArchiveReader } from './catalog-source.ts';

/** For the largest archive over a slow line. */
const WITHIN_MS = 2 * 60_000;

export const archiveUnavailable = (reason: string): HttpError =>
  badGateway(`The archive cannot be fetched: ${reason}`, { code: 'archive_unavailable' });

/** Reads an archive from an address. Faults of the other side are 502; those of `read` are passed on. */
export const fetchArchive = <Result>(
  downloads: Downloads,
  url: string,
  read: ArchiveReader<Result>,
): Promise<Result> =>
  downloads
    .get({ url, withinMs: WITHIN_MS }, async ({ status, bytes }) => {
      if (status !== 200) throw archiveUnavailable(`the answer has the status ${status}`);
      return read(bytes());
    })
    .catch((error: unknown) => {
      throw error instanceof DownloadError ? archiveUnavailable(error.message) : error;
    });
