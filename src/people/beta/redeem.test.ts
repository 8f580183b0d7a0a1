import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type BetaPerson, startBeta, type TestBeta } from '../../../test/support/beta.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';

const DAY_MS = 24 * 3_600_000;

forEachDatabase((_name, open) => {
  describe('codes of the beta programme', () => {
    let beta: TestBeta;
    before(async () => {
      beta = await startBeta(open);
    });
    after(() => beta.close());

    const codesFor = async (body: object = {}) => {
      const reply = await beta.manage('POST', 'invite', body);
      assert.equal(reply.status, 201, reply.text);
      return reply.body.codes;
    };
    const codeFor = async (body: object = {}) => {
      const [made] = await codesFor(body);
      assert.ok(made);
      return made;
    };
    const redeem = ({ token }: BetaPerson, code: string, at = beta.first) =>
      at.ask('POST', 'redeem', { token, body: { code } });
    const endOf = (ms: number) => new Date(beta.clock.now() + ms).toISOString();
    const listed = async (codeId: string) =>
      (await beta.manage('GET', 'invite')).body.codes.find(({ code_id }) => code_id === codeId);

    test('a single-use code is redeemed once, however many try over two processes', async () => {
      const { code, code_id } = await codeFor({ credits: 50 });
      const owners = await Promise.all(Array.from({ length: 50 }, beta.owner));
      const replies = await Promise.all(
        owners.map((owner, index) => redeem(owner, code, index % 2 ? beta.first : beta.second)),
      );
      const statuses = replies.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [200, ...Array.from({ length: 49 }, () => 404)]);
      const plans = await Promise.all(owners.map(({ tenantId }) => beta.planOf(tenantId)));
      assert.equal(plans.filter((plan) => plan === 'team').length, 1);
      assert.equal((await listed(code_id))?.uses, 1);
    });

    test('a code with several uses is redeemed that often over two processes, each with a plan and credits', async () => {
      const { code } = await codeFor({ max_uses: 12, credits: 7, days: 10, cohort: 'twelve' });
      const owners = await Promise.all(Array.from({ length: 20 }, beta.owner));
      const replies = await Promise.all(
        owners.map((owner, index) => redeem(owner, code, index % 2 ? beta.first : beta.second)),
      );
      const good = owners.filter((_, index) => replies[index]?.status === 200);
      assert.equal(good.length, 12);
      for (const { tenantId, userId } of good) {
        assert.equal(await beta.planOf(tenantId), 'team');
        const credits = beta.added().filter((addition) => addition.tenantId === tenantId);
        assert.deepEqual(
          credits.map(({ amount, source, expiresAtMs, userId: by }) => [amount, source, expiresAtMs, by]),
          [[7, 'promotion', beta.clock.now() + 10 * DAY_MS, userId]],
        );
      }
    });

    test('a tenant that redeems a code again, at once or later, gets the first answer and uses nothing up', async () => {
      const { code, code_id } = await codeFor({ max_uses: 5, cohort: 'again', features: { sso: false } });
      const owner = await beta.owner();
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, index) => redeem(owner, code, index % 2 ? beta.first : beta.second)),
      );
      const first = {
        plan: 'team',
        access_ends_at: endOf(90 * DAY_MS),
        credits: 0,
        features: { sso: false },
        cohort: 'again',
      };
      beta.clock.pass(DAY_MS);
      for (const { status, body } of [...replies, await redeem(owner, code)])
        assert.deepEqual([status, body], [200, first]);
      assert.equal((await listed(code_id))?.uses, 1);
    });

    test('while access runs, the highest plan and the latest end of all codes count', async () => {
      const owner = await beta.owner();
      const long = await codeFor({ plan: 'indie', days: 60 });
      const high = await codeFor({ plan: 'enterprise', days: 5 });
      await redeem(owner, long.code);
      beta.clock.pass(DAY_MS);
      const both = await redeem(owner, high.code);
      assert.deepEqual([both.body.plan, both.body.access_ends_at], ['enterprise', endOf(59 * DAY_MS)]);
      assert.deepEqual(await beta.planOf(owner.tenantId), 'enterprise');
      await beta.manage('POST', 'extend', { code_id: long.code_id, days: 10 });
      beta.clock.pass(20 * DAY_MS);
      await beta.first.tenants.grants.endDue();
      assert.equal(await beta.planOf(owner.tenantId), 'enterprise');
      beta.clock.pass(49 * DAY_MS);
      await beta.first.tenants.grants.endDue();
      assert.equal(await beta.planOf(owner.tenantId), 'free');
    });

    test('two codes that a tenant redeems at once over two processes both count', async () => {
      const owners = await Promise.all(Array.from({ length: 8 }, beta.owner));
      const long = await codeFor({ plan: 'indie', days: 60, max_uses: owners.length });
      const high = await codeFor({ plan: 'enterprise', days: 5, max_uses: owners.length });
      const endsAtMs = beta.clock.now() + 60 * DAY_MS;
      await Promise.all(
        owners.flatMap((owner) => [
          redeem(owner, long.code, beta.first),
          redeem(owner, high.code, beta.second),
        ]),
      );
      for (const { tenantId } of owners) {
        const grant = await beta.grantOf(tenantId);
        assert.deepEqual([grant?.plan, grant?.ends_at], ['enterprise', endsAtMs]);
      }
    });

    test('a redemption that fails on its way leaves the code unused and the plan as it was', async () => {
      const { code, code_id } = await codeFor({ credits: 5 });
      const owner = await beta.owner();
      beta.ledgerFailure.isOn = true;
      assert.equal((await redeem(owner, code)).status, 500);
      assert.deepEqual([(await listed(code_id))?.uses, await beta.planOf(owner.tenantId)], [0, 'free']);
      beta.ledgerFailure.isOn = false;
      assert.equal((await redeem(owner, code)).status, 200);
    });

    test('codes that never were, were used up, revoked or have expired are told apart by nobody', async () => {
      const [usedUp, revoked, expired] = [
        await codeFor({ expires_at: endOf(1_000) }),
        await codeFor(),
        await codeFor({ expires_at: endOf(1_000) }),
      ];
      await redeem(await beta.owner(), usedUp.code);
      await beta.manage('POST', 'invite/revoke', { code: revoked.code });
      beta.clock.pass(1_000);
      const owner = await beta.owner();
      const bad = [usedUp.code, revoked.code, expired.code, '7KQM-X2RD-94HV-TBYC-E3WN', 'x'];
      const validated = await Promise.all(bad.map((code) => beta.ask('GET', `validate/${code}`)));
      assert.deepEqual(new Set(validated.map(({ status, text }) => `${status} ${text}`)).size, 1);
      assert.deepEqual(validated[0]?.body, { valid: false, message: 'This code is not valid' });
      const redeemed = await Promise.all(bad.map((code) => redeem(owner, code)));
      assert.equal(new Set(redeemed.map(({ status, text }) => `${status} ${text}`)).size, 1);
      assert.deepEqual([redeemed[0]?.status, redeemed[0]?.body.code], [404, 'invalid_code']);
      assert.equal(beta.first.attempts.filter((each) => each.endsWith(owner.tenantId)).length, bad.length);
      const states = await Promise.all(
        ['used_up', 'revoked', 'expired'].map((state) => beta.manage('GET', `invite?state=${state}`)),
      );
      for (const [index, { code_id }] of [usedUp, revoked, expired].entries())
        assert.ok(
          states.every(
            ({ body }, other) => body.codes.some((each) => each.code_id === code_id) === (index === other),
          ),
          `state ${index}`,
        );
    });

    test('a good code says what it gives to anybody, however it is typed', async () => {
      const { code } = await codeFor({ plan: 'indie', days: 3, credits: 9, features: { sso: true } });
      const typed = encodeURIComponent(` ${code.toLowerCase().replaceAll('-', ' ')}`);
      const { body } = await beta.ask('GET', `validate/${typed}`);
      assert.deepEqual(body, {
        valid: true,
        message: 'This code can be redeemed',
        ...{ plan: 'indie', days: 3, credits: 9, features: { sso: true } },
      });
      const owner = await beta.owner();
      const editor = beta.person(owner.tenantId, 'admin');
      assert.equal((await redeem(editor, code)).body.code, 'insufficient_role');
      assert.equal((await redeem(owner, ` ${code.toLowerCase()}\n`)).status, 200);
    });

    test('the code is shown once and stored nowhere; lists show its hint', async () => {
      const [made] = await codesFor({ count: 1, cohort: 'hidden', note: 'for the fair' });
      const { text, body } = await beta.manage('GET', 'invite?cohort=hidden');
      assert.ok(made && !text.includes(made.code));
      assert.deepEqual([body.total, body.codes[0]?.hint], [1, made.code.slice(-4)]);
      const rows = await beta.database.system.read((db) =>
        db
          .selectFrom('beta_codes' as never)
          .selectAll()
          .execute(),
      );
      assert.ok(!JSON.stringify(rows).includes(made.code));
    });

    test('a revoked code serves nobody, and takes its access and credits away if that is asked', async () => {
      const { code, code_id } = await codeFor({ max_uses: 9, credits: 5, days: 30 });
      const other = await codeFor({ plan: 'indie', days: 10 });
      const [one, two] = [await beta.owner(), await beta.owner()];
      await Promise.all([redeem(one, code), redeem(two, code), redeem(two, other.code)]);
      const revoke = (body: object) => beta.manage('POST', 'invite/revoke', body);
      assert.deepEqual((await revoke({ code })).body, { code_id, revoked: true, withdrawn: 0 });
      assert.equal((await redeem(await beta.owner(), code)).status, 404);
      assert.equal((await redeem(one, code)).status, 200);
      assert.equal(await beta.planOf(one.tenantId), 'team');
      const withdrawn = await revoke({ code_id, withdraw: true });
      assert.deepEqual(withdrawn.body, { code_id, revoked: false, withdrawn: 2 });
      assert.equal(await beta.planOf(one.tenantId), 'free');
      assert.equal(await beta.planOf(two.tenantId), 'indie');
      assert.equal((await redeem(one, code)).status, 404);
      const ends = beta.added().filter(({ tenantId }) => tenantId === one.tenantId);
      assert.deepEqual(
        ends.map(({ expiresAtMs }) => expiresAtMs),
        [beta.clock.now()],
      );
      assert.deepEqual((await revoke({ code_id, withdraw: true })).body, {
        code_id,
        revoked: false,
        withdrawn: 0,
      });
      assert.equal((await revoke({ code: 'x' })).status, 404);
      for (const body of [{}, { code, code_id }]) assert.equal((await revoke(body)).status, 422);
    });

    test('what was withdrawn after its end leaves its credits as they expired', async () => {
      const { code } = await codeFor({ credits: 5, days: 1 });
      const owner = await beta.owner();
      await redeem(owner, code);
      const endedAtMs = beta.clock.now() + DAY_MS;
      beta.clock.pass(2 * DAY_MS);
      await beta.manage('POST', 'invite/revoke', { code, withdraw: true });
      const credits = beta.added().find(({ tenantId }) => tenantId === owner.tenantId);
      assert.equal(credits?.expiresAtMs, endedAtMs);
    });

    test('an extension moves codes, access and credits of a code, a cohort or a person, and says how many', async () => {
      const extend = (body: object) => beta.manage('POST', 'extend', body);
      const codes = await codesFor({
        ...{ count: 3, cohort: 'long', credits: 5, days: 10, max_uses: 2 },
        expires_at: endOf(5 * DAY_MS),
      });
      const [one, two] = [await beta.owner(), await beta.owner()];
      await redeem(one, codes[0]?.code ?? '');
      await redeem(two, codes[1]?.code ?? '');
      assert.deepEqual((await extend({ cohort: 'long', days: 3 })).body, { codes: 3, redemptions: 2 });
      assert.equal((await beta.grantOf(one.tenantId))?.ends_at, beta.clock.now() + 13 * DAY_MS);
      assert.equal((await listed(codes[2]?.code_id ?? ''))?.expires_at, endOf(8 * DAY_MS));

      const until = endOf(20 * DAY_MS);
      assert.deepEqual((await extend({ user_id: two.userId, until })).body, { codes: 0, redemptions: 1 });
      assert.deepEqual((await extend({ user_id: two.userId, until })).body, { codes: 0, redemptions: 0 });
      assert.equal((await beta.grantOf(two.tenantId))?.ends_at, Date.parse(until));
      const credits = beta.added().find(({ tenantId }) => tenantId === two.tenantId);
      assert.equal(credits?.expiresAtMs, Date.parse(until));

      beta.clock.pass(30 * DAY_MS);
      await beta.first.tenants.grants.endDue();
      assert.equal(await beta.planOf(one.tenantId), 'free');
      const { code_id } = codes[0] ?? { code_id: '' };
      assert.deepEqual((await extend({ code_id, days: 2 })).body, { codes: 1, redemptions: 1 });
      assert.equal((await beta.grantOf(one.tenantId))?.ends_at, beta.clock.now() + 2 * DAY_MS);
      assert.equal(await beta.planOf(one.tenantId), 'team');
      assert.equal((await listed(code_id))?.expires_at, endOf(2 * DAY_MS));
      for (const body of [
        { code_id, cohort: 'long', days: 1 },
        { code_id },
        { code_id, days: 1, until },
        { code_id, until: endOf(-1) },
        { days: 1 },
      ])
        assert.equal((await extend(body)).status, 422, JSON.stringify(body));
      assert.equal((await extend({ code: 'x', days: 1 })).status, 404);
    });

    test('a code with an address is mailed there', async () => {
      const made = await codeFor({ email: 'Ben@Example.com', days: 12 });
      const [mail] = await beta.mailsTo('ben@example.com');
      assert.ok(mail?.body.includes(made.code) && mail.body.includes('12 days'));
      const two = await beta.manage('POST', 'invite', { email: 'ben@example.com', count: 2 });
      assert.equal(two.body.code, 'invalid_email');
      const past = await beta.manage('POST', 'invite', { expires_at: endOf(-1) });
      assert.equal(past.body.code, 'invalid_expires_at');
    });

    test('only admins of the tenant that runs the installation manage the programme', async () => {
      const owner = await beta.owner();
      const editor = beta.person(beta.operator.tenantId, 'editor');
      const routes: [string, string, object?][] = [
        ['POST', 'invite', {}],
        ['GET', 'invite'],
        ['POST', 'invite/revoke', { code: 'x' }],
        ['POST', 'extend', { cohort: 'x', days: 1 }],
        ['GET', 'stats'],
        ['GET', 'feedback'],
        ['PATCH', 'feedback/x', {}],
        ['GET', 'waitlist'],
        ['POST', 'waitlist/promote', { count: 1 }],
      ];
      for (const [method, path, body] of routes)
        for (const [{ token }, code] of [
          [owner, 'operator_only'],
          [editor, 'insufficient_role'],
        ] as const) {
          const reply = await beta.ask(method, path, { token, ...(body && { body }) });
          assert.deepEqual([reply.status, reply.body.code], [403, code], path);
        }
    });

    test('a tenant that is deleted leaves nothing of its own, and its use of a code still counts', async () => {
      const { code, code_id } = await codeFor({ cohort: 'gone' });
      const owner = await beta.owner();
      await redeem(owner, code);
      await beta.ask('POST', 'feedback', {
        token: owner.token,
        body: { category: 'idea', message: 'of a tenant' },
      });
      await beta.first.service?.endTenant(owner.tenantId);
      assert.equal((await beta.manage('GET', 'feedback?q=of%20a%20tenant')).body.total, 0);
      assert.deepEqual((await beta.manage('POST', 'extend', { cohort: 'gone', days: 1 })).body, {
        codes: 0,
        redemptions: 0,
      });
      assert.equal((await listed(code_id))?.uses, 1);
    });
  });
});
