import assert from 'node:assert/strict';
import { sign, verify } from 'node:crypto';
import { afterEach, beforeEach, test } from 'node:test';
import { createTestClock, type TestClock } from '../../../test/support/auth.ts';
import { forEachDatabase, type OpenedDatabase } from '../../../test/support/databases.ts';
import { createSecretBox } from '../../kit/secret-box.ts';
import { createSigningKeys, signingKeyMigrations } from './index.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

forEachDatabase((name, open) => {
  let opened: OpenedDatabase;
  let clock: TestClock;
  beforeEach(async () => {
    opened = await open();
    clock = createTestClock();
    await opened.database.migrate(signingKeyMigrations);
  });
  afterEach(() => opened.close());

  /** On SQLite a lock holds within one handle alone, so there the instances share it. */
  const processWith = (byte: number) =>
    createSigningKeys({
      database: name === 'sqlite' ? opened.database : opened.again(),
      box: createSecretBox(new Uint8Array(32).fill(byte)),
      clock,
    });

  test('of many processes that need the first key at once one makes it', async () => {
    const processes = Array.from({ length: 6 }, () => processWith(1));
    const keys = await Promise.all(processes.map((each) => each.signing()));
    assert.equal(new Set(keys.map(({ kid }) => kid)).size, 1);
    for (const each of processes) assert.equal((await each.jwks()).length, 1);
  });

  test('one process verifies by its public key what another signed', async () => {
    const [one, other] = [processWith(1), processWith(1)];
    const { kid, key } = await one.signing();
    const publicKey = await other.verifying(kid);
    assert.ok(publicKey);
    const signature = sign(null, Buffer.from('text'), key);
    assert.equal(verify(null, Buffer.from('text'), publicKey, signature), true);
    assert.equal(verify(null, Buffer.from('other'), publicKey, signature), false);
    assert.equal(await other.verifying('unknown'), null);
    assert.ok((await other.jwks()).every((jwk) => !('d' in jwk)));
  });

  test('after a rotation the new key signs, and the old one verifies for an hour', async () => {
    const [one, other] = [processWith(1), processWith(1)];
    const old = await one.signing();
    assert.equal((await other.signing()).kid, old.kid);
    clock.pass(1_000);
    const kid = await one.rotate();
    assert.notEqual(kid, old.kid);
    assert.ok(await other.verifying(kid));
    clock.pass(5_000);
    assert.equal((await other.signing()).kid, kid);
    assert.ok(await other.verifying(old.kid));
    clock.pass(HOUR);
    assert.equal(await other.verifying(old.kid), null);
    assert.deepEqual(
      (await one.jwks()).map((jwk) => jwk.kid),
      [kid],
    );
  });

  test('a key of 90 days is replaced once, however many sign then', async () => {
    const processes = Array.from({ length: 4 }, () => processWith(1));
    const old = await processes[0]?.signing();
    clock.pass(90 * DAY - 10_000);
    assert.equal((await processes[0]?.signing())?.kid, old?.kid);
    clock.pass(10_000);
    const kids = new Set((await Promise.all(processes.map((each) => each.signing()))).map(({ kid }) => kid));
    assert.equal(kids.size, 1);
    assert.ok(!kids.has(old?.kid ?? ''));
  });

  test('another ENCRYPTION_KEY opens no key', async () => {
    await processWith(1).signing();
    await assert.rejects(processWith(2).signing());
  });
});
