import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { PASSWORD, type People, type Person, signedIn, startPeople } from '../../../test/support/people.ts';

const NEW = 'another pass phrase';

forEachDatabase((_name, open) => {
  let people: People;
  before(async () => {
    people = await startPeople({ open });
  });
  after(() => people.close());

  const change = (as: Person, target: Person, body: object) =>
    people.ask(as, 'PUT', `/api/users/${target.id}/password`, body);
  const isIn = async (person: Person) => (await people.ask(person, 'GET', '/api/auth/me')).status === 200;
  const refreshes = async ({ refreshToken }: Person) =>
    (await people.ask(null, 'POST', '/api/auth/refresh', { refresh_token: refreshToken })).status === 200;

  test("one's own password needs the one before; other sessions end, this one goes on", async () => {
    const here = await people.person('viewer');
    const there = signedIn(await people.login(here.email), here.email);
    assert.ok((await isIn(here)) && (await isIn(there)));
    const { status, text } = await change(here, here, { current_password: PASSWORD, new_password: NEW });
    assert.equal(status, 200, text);
    assert.deepEqual([await isIn(here), await isIn(there)], [true, false]);
    assert.deepEqual([await refreshes(here), await refreshes(there)], [true, false]);
    assert.equal((await people.login(here.email)).status, 401);
    assert.equal((await people.login(here.email, NEW)).status, 200);
  });

  test('a wrong or missing current password changes nothing', async () => {
    for (const role of ['viewer', 'owner'] as const) {
      const me = await people.person(role);
      const other = signedIn(await people.login(me.email), me.email);
      const wrong = await change(me, me, { current_password: 'not this one', new_password: NEW });
      assert.deepEqual([wrong.status, wrong.body.code], [400, 'wrong_password']);
      const missing = await change(me, me, { new_password: NEW });
      assert.deepEqual([missing.status, missing.body.errors[0]?.field], [422, 'current_password']);
      assert.ok((await isIn(me)) && (await isIn(other)));
      assert.equal((await people.login(me.email)).status, 200);
    }
  });

  test('a new password that may not be chosen is refused by its name', async () => {
    const me = people.cast.viewer;
    for (const new_password of ['short', 'x'.repeat(73), 'ü'.repeat(37)]) {
      const { status, body } = await change(me, me, { current_password: PASSWORD, new_password });
      assert.deepEqual([status, body.errors[0]?.field], [422, 'new_password']);
    }
  });

  test('admins set the password of those who are not above them, which ends all their sessions', async () => {
    for (const caller of ['first', 'owner', 'admin', 'editor', 'viewer'] as const) {
      for (const role of ['owner', 'admin', 'editor', 'viewer'] as const) {
        const target = await people.person(role);
        const { status } = await change(people.cast[caller], target, { new_password: NEW });
        const may = ['first', 'owner'].includes(caller) || (caller === 'admin' && role !== 'owner');
        assert.equal(status, may ? 200 : 403, `${caller} for ${role}`);
        assert.equal(await isIn(target), !may);
        assert.equal((await people.login(target.email, may ? NEW : PASSWORD)).status, 200);
      }
    }
  });
});

test('guesses at the current password are limited for each account, from wherever they come', async () => {
  const people = await startPeople({ env: { RATE_LIMIT_LOGIN: '20', TRUSTED_PROXIES: '127.0.0.1' } });
  try {
    const me = people.cast.viewer;
    const statuses = [];
    for (let index = 0; index < 25; index += 1) {
      const reply = await people.call('PUT', `/api/users/${me.id}/password`, {
        token: me.token,
        body: { current_password: `guess ${index}`, new_password: NEW },
        headers: { 'x-forwarded-for': `10.0.0.${index}` },
      });
      statuses.push(reply.status);
    }
    assert.deepEqual([statuses.filter((status) => status === 400).length, statuses.at(-1)], [20, 429]);
  } finally {
    await people.close();
  }
});
