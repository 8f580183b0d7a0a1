import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Kysely, KyselyPlugin } from 'kysely';
import { createTestClock } from '../../../test/support/auth.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { silentLog } from '../../kit/log.ts';
import type { Database } from '../../platform/database/database.ts';
import { createLetters } from '../letters/letters.service.ts';
import { letterMigrations } from '../letters/letters.tables.ts';
import { betaMigrations } from './beta.tables.ts';
import { createWaitlist } from './waitlist.service.ts';

/** The database, with the statements of its writes. */
function watched(database: Database) {
  const seen: string[] = [];
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      seen.push(JSON.stringify(node, (name, value) => (name === 'values' ? value.length : value)));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const system: Database['system'] = {
    ...database.system,
    write: <Tables, Result>(work: (db: Kysely<Tables>) => Promise<Result>) =>
      database.system.write<Tables, Result>((db) => work(db.withPlugin(plugin))),
    read: <Tables, Result>(work: (db: Kysely<Tables>) => Promise<Result>) =>
      database.system.read<Tables, Result>((db) => work(db.withPlugin(plugin))),
  };
  return { database: { ...database, system }, seen };
}

forEachDatabase((_name, open) => {
  test('the same is done for a known address as for an unknown one before the answer', async (t) => {
    const opened = await open();
    t.after(opened.close);
    await opened.database.migrate([...letterMigrations, ...betaMigrations]);
    const clock = createTestClock();
    const { database, seen } = watched(opened.database);
    const letters = createLetters({ database, clock, log: silentLog, mailer: { send: async () => {} } });
    const waitlist = createWaitlist({ database, clock, letters, publicUrl: 'https://canonry.example' });
    const doneFor = async (email: string): Promise<string[]> => {
      const from = seen.length;
      await waitlist.join({ email, name: null, about: null, referralCode: null });
      const done = seen.slice(from);
      await waitlist.answerAll(new AbortController().signal);
      return done;
    };
    const unknown = await doneFor('mira@example.com');
    assert.equal(unknown.length, 1);
    assert.deepEqual(await doneFor('mira@example.com'), unknown);
    clock.pass(2 * 3_600_000);
    assert.deepEqual(await doneFor('mira@example.com'), unknown);
  });
});
