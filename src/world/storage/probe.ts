import { badRequest, type HttpError } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { type BlobPlace, type BlobStore, BlobsError } from '../../platform/blobs/blobs.ts';

export interface ProbeOptions {
  open: (place: BlobPlace) => Promise<BlobStore>;
  deadlineMs: number;
}

type Step = 'open' | 'preflight' | 'write' | 'read' | 'compare' | 'delete';

const DOING: Record<Step, string> = {
  open: 'it cannot be opened',
  preflight: 'its folder cannot be used',
  write: 'a test object cannot be written',
  read: 'the test object was written but cannot be read',
  compare: 'the test object reads otherwise than it was written',
  delete: 'the test object cannot be deleted',
};

class ProbeFailure extends Error {
  readonly step: Step;
  readonly reason: string | null;
  constructor(step: Step, cause: unknown) {
    super(cause instanceof BlobsError ? `${DOING[step]}: ${cause.message}` : DOING[step], { cause });
    this.name = 'ProbeFailure';
    this.step = step;
    this.reason = cause instanceof BlobsError ? cause.code : null;
  }
}

/**
 * Writes, reads, compares and deletes an object (spec 2 §8.1) at the first place that accepts it, and returns that place. 400 with
 * the error of the first place, which never names the object.
 */
export async function probeStorage(places: readonly BlobPlace[], options: ProbeOptions): Promise<BlobPlace> {
  const failures: ProbeFailure[] = [];
  for (const place of places) {
    try {
      return await probePlace(place, options);
    } catch (error) {
      if (!(error instanceof ProbeFailure)) throw error;
      failures.push(error);
      if (error.step !== 'write') break;
    }
  }
  const failure = failures.find(({ step }) => step !== 'write') ?? failures[0];
  throw refusal(places[0]?.provider ?? 'local', failure);
}

async function probePlace(place: BlobPlace, { open, deadlineMs }: ProbeOptions): Promise<BlobPlace> {
  const store = await during('open', () => open(place));
  const signal = AbortSignal.timeout(deadlineMs);
  // Closing the connections ends all running requests.
  signal.addEventListener('abort', () => void store.close());
  try {
    const { isConditional } = await probe(store, signal);
    return place.provider === 's3' && !isConditional ? { ...place, conditional_writes: false } : place;
  } finally {
    await store.close();
  }
}

async function probe(store: BlobStore, signal: AbortSignal): Promise<{ isConditional: boolean }> {
  const key = `.sb-probe-${newId()}.tmp`;
  const bytes = Buffer.from(
    `Canonry writes, reads and deletes this object to try the storage out: ${newId()}`,
  );
  const remove = () => store.delete(key);
  const removeQuietly = () => remove().catch(() => undefined);

  await during('preflight', () => store.preflight());
  const isConditional = await during('write', () => writeAsNew(store, key, bytes), signal);
  const read = await during('read', () => readUpTo(store, key, bytes.length), signal).catch(async (error) => {
    if (!signal.aborted) await removeQuietly();
    throw error;
  });
  if (!bytes.equals(read)) {
    await removeQuietly();
    throw new ProbeFailure('compare', null);
  }
  await during('delete', remove, signal);
  return { isConditional };
}

/** False if the service refuses conditional writes; the object is then written without a condition. */
async function writeAsNew(store: BlobStore, key: string, bytes: Uint8Array): Promise<boolean> {
  const isAsked = store.provider === 's3';
  try {
    await store.put(key, bytes, isAsked ? { only: { ifAbsent: true } } : {});
    return true;
  } catch (error) {
    if (!isAsked || !(error instanceof BlobsError && error.code === 'refused')) throw error;
    await store.put(key, bytes);
    return false;
  }
}

async function during<Result>(
  step: Step,
  work: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  try {
    signal?.throwIfAborted();
    return await work();
  } catch (error) {
    throw new ProbeFailure(step, signal?.aborted ? tooSlow() : error);
  }
}

/** One byte above the limit shows that there are more. */
async function readUpTo(store: BlobStore, key: string, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let count = 0;
  for await (const chunk of (await store.get(key)).stream as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    count += chunk.byteLength;
    if (count > most) break;
  }
  return Buffer.concat(chunks);
}

const tooSlow = () => new BlobsError('unavailable', 'The storage does not answer in time');

function refusal(provider: string, failure: ProbeFailure | undefined): HttpError {
  return badRequest(
    `The ${provider} storage does not work: ${failure?.message}. The settings stay as they were`,
    {
      code: 'storage_probe_failed',
      body: { provider, step: failure?.step, reason: failure?.reason },
    },
  );
}
