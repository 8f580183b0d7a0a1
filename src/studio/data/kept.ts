import { currentAccount } from './account.ts';
import { browserStore } from './browser-store.ts';
import { cache } from './cache.ts';
import { isUnreachable } from './errors.ts';

/** The number of answers that are kept, the latest ones. */
const MOST_KEPT = 500;

// Accounts of one browser do not see each other's answers.
const placeOf = (key: readonly string[]): readonly string[] => [currentAccount() ?? '', ...key];

/**
 * Asks the service, and keeps the answer for times without it. Where the service cannot be reached, gives the answer that
 * was kept, or rejects as the request did.
 */
export async function askOrRecall<T>(key: readonly string[], ask: () => Promise<T>): Promise<T> {
  const place = placeOf(key);
  try {
    const value = await ask();
    void keep(place, value);
    return value;
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    const known = await recall<T>(place);
    if (known === undefined) throw error;
    return known.value;
  }
}

/**
 * As `askOrRecall`, but where nothing is shown yet, an answer that was kept is given at once; the service's follows. The
 * key is the one of the query.
 */
export async function recallAndAsk<T>(key: readonly string[], ask: () => Promise<T>): Promise<T> {
  const known = cache.getQueryData(key) === undefined ? await recall<T>(placeOf(key)) : undefined;
  const asked = askOrRecall(key, ask);
  if (known === undefined) return asked;
  asked.then(
    (value) => void cache.setQueryData(key, value),
    () => void cache.invalidateQueries({ queryKey: key }),
  );
  return known.value;
}

async function recall<T>(place: readonly string[]): Promise<{ value: T } | undefined> {
  return (await browserStore()).table('entities').get<{ value: T }>(place);
}

async function keep(place: readonly string[], value: unknown): Promise<void> {
  const table = (await browserStore()).table('entities');
  await table.put(place, { value });
  await table.keepNewest(MOST_KEPT);
}
