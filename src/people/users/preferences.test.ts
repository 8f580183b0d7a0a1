import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { type People, startPeople } from '../../../test/support/people.ts';

const PATH = '/api/users/preferences';

forEachDatabase((_name, open) => {
  let people: People;
  before(async () => {
    people = await startPeople({ open });
  });
  after(() => people.close());

  const change = (patch: object, as = people.cast.viewer) => people.ask(as, 'PATCH', PATH, patch);
  const read = async (as = people.cast.viewer) => (await people.ask(as, 'GET', PATH)).body as object;

  test("preferences are empty at first, merge, and are one's own", async () => {
    assert.deepEqual(await read(), {});
    await change({ theme: 'dark', editor: { wrap: true } });
    const { body } = await change({ theme: null, editor: { size: 12 } });
    assert.deepEqual(body, { editor: { wrap: true, size: 12 } });
    assert.deepEqual(await read(), body);
    assert.deepEqual(await read(people.cast.owner), {});
  });

  test('of 20 patches at once none is lost', async () => {
    const { editor } = people.cast;
    await Promise.all(Array.from({ length: 20 }, (_, index) => change({ [`key${index}`]: index }, editor)));
    assert.equal(Object.keys(await read(editor)).length, 20);
  });

  test('64 kB and no more', async () => {
    const { admin } = people.cast;
    const most = 64 * 1024 - '{"a":""}'.length;
    assert.equal((await change({ a: 'x'.repeat(most) }, admin)).status, 200);
    assert.equal((await change({ b: 1 }, admin)).status, 413);
    assert.deepEqual(Object.keys(await read(admin)), ['a']);
    assert.equal((await change({ a: null, b: 1 }, admin)).status, 200);
  });

  test('keys that reach a prototype are refused', async () => {
    const reply = await people.call('PATCH', PATH, {
      token: people.cast.viewer.token,
      body: '{"__proto__": {"role": "owner"}}',
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(reply.status, 400);
  });
});
