import { type Clock, isoTime } from '../../../kit/clock.ts';
import { isSignedBy } from '../../../kit/ed25519.ts';
import { messageOf } from '../../../kit/errors.ts';
import type { Log } from '../../../kit/log.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { CatalogProblemCode } from './catalog.contract.ts';
import { type CatalogDb, highestSequence, raiseSequence } from './catalog.store.ts';
import { CatalogFault } from './catalog-fault.ts';
import { type CatalogIndex, readCatalogIndex } from './catalog-index.ts';
import type { CatalogSource, FoundIndex } from './catalog-source.ts';

export interface CatalogReaderOptions {
  source: CatalogSource;
  /** The 32 bytes of the public key. */
  publicKey: Uint8Array;
  database: Database;
  clock: Clock;
  log: Log;
}

/** An index with a right signature, whole and no older than one that was seen before. */
interface GoodIndex {
  index: CatalogIndex;
  mark: string | null;
  checkedAt: string;
}

export interface CatalogState {
  /** The last good one; null if there was none since the start. */
  good: GoodIndex | null;
  /** Why the newest is not good. */
  problem: { code: CatalogProblemCode; message: string } | null;
}

export type CatalogReader = () => Promise<CatalogState>;

/** A source that failed is asked again after this time. */
const RETRY_MS = 30_000;

/** Reads the catalog when it is asked for: once for all who ask at the same time, and not again while it is current. */
export function createCatalogReader(options: CatalogReaderOptions): CatalogReader {
  const { source, publicKey, database, clock, log } = options;
  const catalogKey = Buffer.from(publicKey).toString('base64');
  let state: CatalogState = { good: null, problem: null };
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;

  async function requireNewest(sequence: number): Promise<void> {
    const seen = () =>
      database.system.read((db: CatalogDb) => highestSequence(db, catalogKey)).then((found) => found ?? 0);
    if ((await seen()) < sequence) {
      const row = { catalog_key: catalogKey, sequence, seen_at: isoTime(clock.now()) };
      await database.system.write((db: CatalogDb) => raiseSequence(db, row));
    }
    const highest = await seen();
    if (highest > sequence)
      throw new CatalogFault(
        'catalog_rolled_back',
        `The catalog has the sequence ${sequence}, but a newer one with ${highest} was there before`,
      );
  }

  async function checked({ bytes, signature }: FoundIndex): Promise<CatalogIndex> {
    if (!isSignedBy(publicKey, bytes, Buffer.from(signature.trim(), 'base64')))
      throw new CatalogFault(
        'catalog_not_signed',
        'The signature of the catalog does not fit its bytes and PLUGIN_CATALOG_KEY',
      );
    const index = readCatalogIndex(bytes);
    await requireNewest(index.sequence);
    return index;
  }

  async function look(): Promise<CatalogState> {
    const { good } = state;
    const found = await source.read(good?.mark ?? null);
    const checkedAt = isoTime(clock.now());
    if (found !== null)
      return { good: { index: await checked(found), mark: found.mark, checkedAt }, problem: null };
    return { good: good && { ...good, checkedAt }, problem: null };
  }

  function failed(error: unknown): CatalogState {
    if (!(error instanceof CatalogFault)) throw error;
    const { code, message, cause } = error;
    if (message !== state.problem?.message)
      log.warn(`catalog of plugins: ${message}${cause === undefined ? '' : ` (${messageOf(cause)})`}`);
    return { good: state.good, problem: { code, message } };
  }

  async function ask(): Promise<void> {
    state = await look().catch(failed);
    askedAt = clock.now();
  }

  const isCurrent = (): boolean => {
    const forMs = state.problem === null ? source.freshMs : Math.min(source.freshMs, RETRY_MS);
    return clock.now() - askedAt < forMs;
  };

  return async () => {
    if (isCurrent()) return state;
    asking ??= ask().finally(() => {
      asking = null;
    });
    await asking;
    return state;
  };
}
