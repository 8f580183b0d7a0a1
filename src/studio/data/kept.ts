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
 * As `askOrRecall`, but where nothing is shown yet, an answer that was kept is given at once; the service's answer
 * follows. The key is the one of the query.
 */
export async function recallAndAsk<T>(key: readonly string[], ask: () => Promise<T>): Promise<T> {
  const account = currentAccount();
  const asked = askOrRecall(key, ask);
  if (cache.getQueryData(key) !== undefined) return asked;
  const answered = asked.then(
    () => undefined,
    () => undefined,
  );
  const known = await Promise.race([recall<T>(placeOf(key)), answered]);
  if (known === undefined) return asked;
  /** The page may know something newer by then, or belong to somebody else. */
  const isShown = () => currentAccount() === account && cache.getQueryData(key) === known.value;
  /** The query takes what is given here first. */
  const later = (work: () => unknown) => void setTimeout(() => isShown() && work());
  asked.then(
    (value) => later(() => cache.setQueryData(key, value)),
    () => later(() => cache.invalidateQueries({ queryKey: key })),
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
