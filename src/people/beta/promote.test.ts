import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Kysely } from 'kysely';
import { createTestClock } from '../../../test/support/auth.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { silentLog } from '../../kit/log.ts';
import { createLetters } from '../letters/letters.service.ts';
import { type LetterTables, letterMigrations } from '../letters/letters.tables.ts';
import { type BetaTables, betaMigrations } from './beta.tables.ts';
import { createPromote } from './promote.service.ts';
import { insertEntry } from './waitlist.store.ts';

const PLACE = { plan: 'team', days: 9, credits: 0, cohort: null, promotedBy: 'admin' } as const;

forEachDatabase((_name, open) => {
  test('a promotion that breaks off leaves no code, no mail and the entry waiting; the next one goes on', async (t) => {
    const { database, close } = await open();
    t.after(close);
    await database.migrate([...letterMigrations, ...betaMigrations]);
    const clock = createTestClock();
    const ids = ['one', 'two', 'three'];
    await database.system.write(async (db) => {
      for (const id of ids)
        await insertEntry(db, {
          ...{ entry_id: id, email: `${id}@example.com`, name: null, about: null, state: 'waiting' },
          ...{ token_hash: id, referral_code: id, referred_by: null, referrals: 0, rank_at: 0 },
          ...{ cohort: null, code_id: null, joined_at: 0, mailed_at: 0, confirmed_at: 0, promoted_at: null },
        });
    });
    const letters = createLetters({ database, clock, log: silentLog, mailer: { send: async () => {} } });
    const failing: typeof letters = {
      ...letters,
      async add(db, mail) {
        await letters.add(db, mail);
        if (mail.to === 'two@example.com') throw new Error('the process ends here');
      },
    };
    const shared = { database, clock, publicUrl: 'https://canonry.example' };
    const stored = () =>
      database.system.read(async (db: Kysely<BetaTables & LetterTables>) => ({
        codes: (await db.selectFrom('beta_codes').select('code_id').execute()).length,
        mails: (await db.selectFrom('letters').select('recipient').execute()).length,
        promoted: (
          await db.selectFrom('beta_waitlist').select('entry_id').where('state', '=', 'promoted').execute()
        ).length,
      }));

    await assert.rejects(createPromote({ ...shared, letters: failing })({ ids }, PLACE), /ends here/);
    const { codes, mails, promoted } = await stored();
    assert.ok(promoted < 3);
    assert.deepEqual([codes, mails], [promoted, promoted]);
    const { promoted: rest, already } = await createPromote({ ...shared, letters })({ ids }, PLACE);
    assert.deepEqual([rest.length, already.length], [3 - promoted, promoted]);
    assert.deepEqual(await stored(), { codes: 3, mails: 3, promoted: 3 });
  });
});
