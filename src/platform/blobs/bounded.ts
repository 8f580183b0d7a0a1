import { Readable } from 'node:stream';
import { BlobsError } from './blobs.ts';

/** Slower uploads are given up; a large one gets enough time. */
const LEAST_BYTES_PER_MS = 64;

/** Aborts its signal after a deadline; `sends` is the number of bytes in the call's body. */
export async function withDeadline<Result>(
  answerMs: number,
  call: (signal: AbortSignal) => Promise<Result>,
  sends = 0,
): Promise<Result> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), answerMs + sends / LEAST_BYTES_PER_MS);
  try {
    return await call(controller.signal);
  } catch (error) {
    if (controller.signal.aborted) throw tooSlow();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Errors become `BlobsError`. Fails if the sender pauses longer than `answerMs` or ends before `length` bytes. The reader
 * may be slow.
 */
export function boundedStream(
  source: NodeJS.ReadableStream & { destroy?(): void },
  options: { length: number; answerMs: number; explain: (error: unknown) => BlobsError },
): Readable {
  const bounded = Readable.from(bytesOf(source, options), { objectMode: false });
  bounded.once('close', () => source.destroy?.());
  return bounded;
}

async function* bytesOf(
  source: NodeJS.ReadableStream,
  options: { length: number; answerMs: number; explain: (error: unknown) => BlobsError },
): AsyncGenerator<Uint8Array> {
  const { length, answerMs, explain } = options;
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  let count = 0;
  try {
    for (;;) {
      const { done, value } = await inTime(chunks.next(), answerMs);
      if (done) break;
      count += value.byteLength;
      if (count > length) break;
      yield value;
    }
  } catch (error) {
    throw error instanceof BlobsError ? error : explain(error);
  }
  if (count !== length)
    throw new BlobsError('unavailable', 'The storage sent another number of bytes than it said');
}

async function inTime<Result>(work: Promise<Result>, milliseconds: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow()), milliseconds);
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const tooSlow = () => new BlobsError('unavailable', 'The storage does not answer in time');
