import { badGateway } from '../../../kit/errors.ts';
import type { Downloads } from '../../../platform/outgoing/downloads.ts';
import { TooSlow } from '../../../platform/outgoing/downloads.ts';
import type { ArchiveReader } from './catalog-source.ts';
import { reasonOf } from './fetch-faults.ts';

/** For the largest archive over a slow line. */
const WITHIN_MS = 5 * 60_000;

export const archiveUnavailable = (reason: string, cause?: unknown) =>
  Object.assign(badGateway(`The archive cannot be fetched: ${reason}`, { code: 'archive_unavailable' }), {
    cause,
  });

/** Reads an archive from an address. Faults of the other side are 502; those of `read` are passed on. */
export async function fetchArchive<Result>(
  downloads: Downloads,
  url: string,
  read: ArchiveReader<Result>,
): Promise<Result> {
  let isAnswered = false;
  const request = { url, withinMs: WITHIN_MS };
  const reading = downloads.get(request, async ({ status, bytes }) => {
    isAnswered = true;
    if (status !== 200) throw archiveUnavailable(`the answer has the status ${status}`);
    return read(orUnavailable(bytes));
  });
  return reading.catch((error: unknown) => {
    throw isAnswered && !(error instanceof TooSlow) ? error : archiveUnavailable(reasonOf(error), error);
  });
}

/** Tells faults of the source from those of the disk that it is written to. */
export async function* orUnavailable(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    throw archiveUnavailable(reasonOf(error), error);
  }
}
