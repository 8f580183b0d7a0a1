import { currentAccount } from './account.ts';
import { browserStore } from './browser-store.ts';
import { isUnreachable } from './errors.ts';

/** The number of answers that are kept, the latest ones. */
const MOST_KEPT = 500;

/**
 * Asks the service, and keeps the answer for times without it. Where the service cannot be reached, gives the answer that
 * was kept, or rejects as the request did.
 */
export async function askOrRecall<T>(key: readonly string[], ask: () => Promise<T>): Promise<T> {
  // Accounts of one browser do not see each other's answers.
  const place = [currentAccount() ?? '', ...key];
  try {
    const value = await ask();
    void keep(place, value);
    return value;
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    const table = (await browserStore()).table('entities');
    const known = await table.get<{ value: T }>(place);
    if (known === undefined) throw error;
    return known.value;
  }
}

async function keep(place: readonly string[], value: unknown): Promise<void> {
  const table = (await browserStore()).table('entities');
  await table.put(place, { value });
  await table.keepNewest(MOST_KEPT);
}
