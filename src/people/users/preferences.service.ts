import { type Clock, isoTime } from '../../kit/clock.ts';
import { tooLarge } from '../../kit/errors.ts';
import type { Database } from '../../platform/database/database.ts';
import { mergePatch } from '../../text/merge-patch.ts';
import { MOST_PREFERENCES } from './preferences.contract.ts';
import { createPreferencesStore } from './preferences.store.ts';

type Preferences = Record<string, unknown>;

export function createPreferences({ database, clock }: { database: Database; clock: Clock }) {
  const store = createPreferencesStore(database.system);
  const read = async (userId: string): Promise<Preferences> => JSON.parse((await store.find(userId)) ?? '{}');

  return {
    read,
    /** Merges a patch and resolves to the result; 413 if that is too large. Concurrent patches are all applied. */
    update: (userId: string, patch: Preferences): Promise<Preferences> =>
      database.system.exclusive(`preferences ${userId}`, async () => {
        const merged = mergePatch(await read(userId), patch);
        const json = JSON.stringify(merged);
        if (Buffer.byteLength(json) > MOST_PREFERENCES)
          throw tooLarge(`Preferences take at most ${MOST_PREFERENCES / 1024} kB of JSON: remove some first`);
        await store.put(userId, json, isoTime(clock.now()));
        return merged;
      }),
  };
}

export type PreferencesService = ReturnType<typeof createPreferences>;
