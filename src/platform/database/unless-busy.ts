import type { TenantDatabase } from './database.ts';

/** Work that one process at a time does for all of them: where another has the key, it is left to that one. */
export const unlessBusy = (
  database: Pick<TenantDatabase, 'ifFree'>,
  key: string,
  work: () => Promise<void>,
): Promise<void> => database.ifFree(key, work, async () => {});
