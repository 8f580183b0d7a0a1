import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { startBeta, type TestBeta } from '../../../test/support/beta.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { until } from '../../../test/support/until.ts';

const HOUR_MS = 3_600_000;

forEachDatabase((_name, open) => {
  describe('the waitlist of the beta programme', () => {
    let beta: TestBeta;
    before(async () => {
      beta = await startBeta(open);
    });
    after(() => beta.close());

    const waiting = async () => (await beta.manage('GET', 'waitlist?state=waiting&limit=200')).body.entries;
    const join = (email: string, more: object = {}, at = beta.first) =>
      at.ask('POST', 'waitlist', { body: { email, ...more } });
    /** The token of the newest of so many mails. */
    async function mailed(email: string, count = 1): Promise<string> {
      await until(async () => (await beta.mailsTo(email)).length >= count);
      const text = (await beta.mailsTo(email)).at(-1)?.body ?? '';
      return /waitlist\/(\S+)/.exec(text)?.[1] ?? '';
    }
    const confirm = (token: string) => beta.ask('POST', `waitlist/${token}`);
    const place = (token: string) => beta.ask('GET', `waitlist/${token}`);
    /** Each comes a minute after the one before. */
    async function arrive(email: string, more: object = {}): Promise<string> {
      beta.clock.pass(60_000);
      await join(email, more);
      const token = await mailed(email);
      assert.equal((await confirm(token)).status, 200);
      return token;
    }
    /** All requests until now are answered: a later one has been. */
    const settled = async () => {
      const email = `settled${Math.random()}@example.com`;
      beta.clock.pass(1);
      await join(email);
      await mailed(email);
    };

    test('an address gets the same answer whether it is known, waiting or promoted, and one mail an hour', async () => {
      const unknown = await join('mira@example.com', { name: 'Mira' });
      await mailed('mira@example.com');
      const known = await join('Mira@Example.com');
      await arrive('zoe@example.com');
      await beta.manage('POST', 'waitlist/promote', { emails: ['zoe@example.com'] });
      const promoted = await join('zoe@example.com');
      for (const { status, text } of [known, promoted])
        assert.deepEqual([status, text], [unknown.status, unknown.text]);
      assert.equal(unknown.status, 200);
      await settled();
      assert.equal((await beta.mailsTo('mira@example.com')).length, 1);
      assert.equal((await beta.mailsTo('zoe@example.com')).length, 2);

      beta.clock.pass(HOUR_MS);
      const before = await mailed('mira@example.com');
      await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          join('mira@example.com', {}, at % 2 ? beta.first : beta.second),
        ),
      );
      const token = await mailed('mira@example.com', 2);
      await settled();
      assert.equal((await beta.mailsTo('mira@example.com')).length, 2);
      assert.equal((await place(before)).status, 404);
      assert.equal((await confirm(token)).body.status, 'waiting');
      await join('zoe@example.com');
      await until(async () => (await beta.mailsTo('zoe@example.com')).length === 3);
      assert.match((await beta.mailsTo('zoe@example.com')).at(-1)?.body ?? '', /already has one/);
    });

    test('places follow the requests; each referral that is confirmed counts as a day', async () => {
      const ada = await arrive('ada@example.com');
      const ben = await arrive('ben@example.com');
      const cleo = await arrive('cleo@example.com');
      const positions = async () =>
        Promise.all([ada, ben, cleo].map(async (token) => (await place(token)).body.position ?? 0));
      const [one = 0, two, three] = await positions();
      assert.deepEqual([two, three], [one + 1, one + 2]);
      const { referral_code } = (await place(cleo)).body;
      assert.ok((await beta.mailsTo('cleo@example.com'))[0]?.body.includes(referral_code));

      await join('friend@example.com', { referral_code: referral_code.toLowerCase() });
      const friend = await mailed('friend@example.com');
      assert.deepEqual(await positions(), [one, two, three]);
      await Promise.all(Array.from({ length: 10 }, () => confirm(friend)));
      const cleoNow = (await place(cleo)).body;
      assert.equal(cleoNow.referrals, 1);
      const [adaNow = 0, benNow = 0, at = 0] = await positions();
      assert.ok(at < adaNow && adaNow < benNow);
      const order = (await waiting()).map(({ email }) => email);
      assert.ok(order.indexOf('cleo@example.com') < order.indexOf('ada@example.com'));
      for (const [index, entry] of (await waiting()).entries()) assert.equal(entry.position, index + 1);
      const second = await beta.manage('GET', 'waitlist?state=waiting&offset=1&limit=1');
      assert.equal(second.body.entries[0]?.position, 2);
    });

    test('a bad token, and one of a confirmed address, tell nothing new', async () => {
      for (const reply of [await place('cnrw_x'), await confirm('cnrw_x')])
        assert.deepEqual([reply.status, reply.body.code], [404, 'invalid_token']);
      assert.equal((await join('no address')).status, 422);
      assert.equal((await join('x@example.com', { position: 1 })).status, 422);
    });

    test('twenty calls at once over two processes promote each entry once, with one code and one mail', async () => {
      const emails = Array.from({ length: 6 }, (_, index) => `together${index}@example.com`);
      for (const email of emails) await arrive(email);
      const asked = [...emails, 'nobody@example.com'];
      const calls = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 ? beta.first : beta.second).ask('POST', 'waitlist/promote', {
            token: beta.operator.token,
            body: { emails: asked, cohort: 'together' },
          }),
        ),
      );
      const promoted = calls.flatMap(({ body }) => body.promoted);
      assert.deepEqual(promoted.map(({ email }) => email).sort(), emails);
      for (const { body, text } of calls) {
        assert.equal(body.promoted.length + body.already.length, emails.length, text);
        assert.deepEqual(body.unknown, ['nobody@example.com']);
      }
      for (const email of emails) {
        const [, mail, more] = await beta.mailsTo(email);
        assert.ok(mail && !more, email);
      }
      const codes = (await beta.manage('GET', 'invite?cohort=together')).body;
      assert.equal(codes.total, emails.length);
      assert.deepEqual(
        new Set(codes.codes.map(({ code_id }) => code_id)),
        new Set(promoted.map(({ code_id }) => code_id)),
      );
    });

    test('the first ones are promoted by their number, and only those who confirmed', async () => {
      await join('shy@example.com');
      await mailed('shy@example.com');
      const named = await beta.manage('POST', 'waitlist/promote', { emails: ['shy@example.com'] });
      assert.deepEqual(named.body, {
        ...{ promoted: [], already: [], unknown: [], unconfirmed: ['shy@example.com'] },
      });
      const order = (await waiting()).map(({ email }) => email);
      const { body } = await beta.manage('POST', 'waitlist/promote', { count: 2 });
      assert.deepEqual(body.promoted.map(({ email }) => email).sort(), order.slice(0, 2).sort());
      assert.deepEqual(
        (await waiting()).map(({ email }) => email),
        order.slice(2),
      );
      for (const wrong of [{}, { count: 1, ids: ['x'] }, { ids: [] }])
        assert.equal((await beta.manage('POST', 'waitlist/promote', wrong)).status, 422);
    });

    test('an address that nobody confirms is forgotten after thirty days', async () => {
      await join('lost@example.com');
      const token = await mailed('lost@example.com');
      beta.clock.pass(29 * 24 * HOUR_MS);
      await settled();
      assert.equal((await place(token)).body.status, 'unconfirmed');
      beta.clock.pass(25 * HOUR_MS);
      await settled();
      assert.equal((await place(token)).status, 404);
    });

    test('a table of the waitlist runs no formulas', async () => {
      await arrive('table@example.com', { name: '=1+1', about: '+cmd' });
      const { text } = await beta.manage('GET', 'waitlist?format=csv&state=waiting');
      const rows: Record<string, string>[] = parse(text, { columns: true, record_delimiter: '\r\n' });
      const row = rows.find(({ email }) => email === 'table@example.com');
      assert.deepEqual([row?.name, row?.about], ["'=1+1", "'+cmd"]);
    });
  });
});
