import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBeta } from '../../../test/support/beta.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { until } from '../../../test/support/until.ts';

const DAY_MS = 24 * 3_600_000;
const PEOPLE = 50;

forEachDatabase((_name, open) => {
  test('fifty people go from the waitlist to their feedback, over two processes', async (t) => {
    const beta = await startBeta(open);
    t.after(() => beta.close());
    const people = Array.from({ length: PEOPLE }, (_, index) => ({
      email: `person${index}@example.com`,
      at: index % 2 ? beta.first : beta.second,
    }));
    const found = async (email: string, pattern: RegExp): Promise<string> =>
      pattern.exec((await beta.mailsTo(email)).map(({ body }) => body).join('\n'))?.[1] ?? '';

    await Promise.all(people.map(({ email, at }) => at.ask('POST', 'waitlist', { body: { email } })));
    await until(async () => (await beta.mailsTo(`person${PEOPLE - 1}@example.com`)).length > 0);
    const isMailed = ({ email }: { email: string }) => found(email, /waitlist\/(\S+)/);
    await until(async () => (await Promise.all(people.map(isMailed))).every((token) => token !== ''));
    const places = await Promise.all(
      people.map(async ({ email, at }) => {
        const token = await found(email, /waitlist\/(\S+)/);
        assert.equal((await at.ask('POST', `waitlist/${token}`)).status, 200);
        return token;
      }),
    );
    const positions = await Promise.all(
      places.map(async (token) => (await beta.ask('GET', `waitlist/${token}`)).body.position ?? 0),
    );
    assert.deepEqual(
      positions.sort((one, other) => one - other),
      Array.from({ length: PEOPLE }, (_, index) => index + 1),
    );

    const promotion = { count: PEOPLE, cohort: 'first', days: 30, credits: 100 };
    const { body: outcome } = await beta.manage('POST', 'waitlist/promote', promotion);
    assert.equal(outcome.promoted.length, PEOPLE);
    await Promise.all(
      people.map(async ({ email, at }, index) => {
        const owner = await beta.owner();
        const code = await found(email, /((?:[0-9A-Z]{4}-){4}[0-9A-Z]{4})\n/);
        const redeemed = await at.ask('POST', 'redeem', { token: owner.token, body: { code } });
        assert.equal(redeemed.status, 200, redeemed.text);
        assert.equal(await beta.planOf(owner.tenantId), 'team');
        beta.lastActive.set(owner.userId, beta.clock.now() + (index % 5 === 0 ? 0 : 20 * DAY_MS));
        const body = { category: 'idea', message: `From ${email}`, rating: (index % 5) + 1 };
        assert.equal((await at.ask('POST', 'feedback', { token: owner.token, body })).status, 201);
      }),
    );
    assert.equal(beta.added().length, PEOPLE);

    const { feedback } = (await beta.manage('GET', 'feedback?rating=5')).body;
    assert.equal(feedback.length, PEOPLE / 5);
    for (const { id } of feedback)
      await beta.manage('PATCH', `feedback/${id}`, { status: 'resolved', answer: 'Thank you' });
    const extended = await beta.manage('POST', 'extend', { cohort: 'first', days: 30 });
    assert.deepEqual(extended.body, { codes: 0, redemptions: PEOPLE });
    assert.ok(beta.added().every(({ expiresAtMs }) => expiresAtMs === beta.clock.now() + 60 * DAY_MS));

    beta.clock.pass(25 * DAY_MS);
    const { body: stats } = await beta.manage('GET', 'stats');
    assert.deepEqual(stats, {
      cohorts: [
        {
          ...{ cohort: 'first', codes: PEOPLE, redeemed: PEOPLE, promoted: PEOPLE },
          ...{ active_7_days: (PEOPLE * 4) / 5, active_30_days: PEOPLE },
          feedback: { open: (PEOPLE * 4) / 5, reviewed: 0, planned: 0, resolved: PEOPLE / 5, closed: 0 },
        },
      ],
      waitlist: { unconfirmed: 0, waiting: 0, promoted: PEOPLE },
    });
  });
});
