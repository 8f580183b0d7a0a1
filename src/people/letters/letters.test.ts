import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '../../../test/support/auth.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { createTestLog } from '../../../test/support/test-log.ts';
import { until } from '../../../test/support/until.ts';
import { type Mail, MailError } from '../../platform/mail/mail.ts';
import { createLetters } from './letters.service.ts';
import { letterMigrations } from './letters.tables.ts';

const mailTo = (to: string): Mail => ({ to, subject: `To ${to}`, text: 'Text' });
const HOUR_MS = 3_600_000;

forEachDatabase((_name, open) => {
  test('a mail is sent after its change, again while the server is away, once it was accepted never more', async () => {
    const opened = await open();
    await opened.database.migrate(letterMigrations);
    const clock = createTestClock();
    const { log, expectErrors } = createTestLog();
    const errors = expectErrors(/given up/);
    const tried: string[] = [];
    const sent: string[] = [];
    let isAway = true;
    const mailer = {
      async send({ to }: Mail) {
        tried.push(to);
        if (to.startsWith('nobody')) throw new MailError('refused', 'no such mailbox');
        if (isAway) throw new MailError('unavailable', 'the server is away');
        sent.push(to);
      },
    };
    const letters = createLetters({ database: opened.database, mailer, clock, log, everyMs: 5 });
    const { system } = opened.database;
    await system.write((db) => letters.add(db, mailTo('mira@example.com')));
    await system.write((db) => letters.add(db, mailTo('nobody@example.com')));
    const undone = system.write(async (db) => {
      await letters.add(db, mailTo('undone@example.com'));
      throw new Error('the change failed');
    });
    await assert.rejects(undone, /the change failed/);

    await letters.start();
    await until(() => tried.length === 2);
    await until(() => errors.length === 1);
    assert.match(errors[0] ?? '', /'To nobody@example.com' could not be sent and is given up/);
    isAway = false;
    clock.pass(HOUR_MS);
    await until(() => sent.length === 1);
    clock.pass(HOUR_MS);
    letters.soon();
    await letters.stop();
    assert.deepEqual(sent, ['mira@example.com']);
    assert.deepEqual(tried.toSorted(), ['mira@example.com', 'mira@example.com', 'nobody@example.com']);
    await opened.close();
  });
});
