import assert from 'node:assert/strict';
import { test } from 'node:test';
import bcrypt from 'bcrypt';
import { cpuTime } from '../../../test/support/cpu-time.ts';
import { checkPassword, createPasswords } from './passwords.ts';

test('hashes have cost 12 unless told otherwise', async () => {
  assert.equal(bcrypt.getRounds(await createPasswords().hash('a long pass phrase')), 12);
});

test('a password matches its own hash alone', async () => {
  const { hash, matches } = createPasswords({ cost: 4 });
  const made = await hash('pässword 🔑');
  assert.equal(await matches('pässword 🔑', made), true);
  assert.equal(await matches('pässword', made), false);
  assert.equal(await matches('pässword 🔑', null), false);
  assert.equal(await matches('nobody has this password', null), false);
});

test('bytes beyond the 72nd do count', async () => {
  const { hash, matches } = createPasswords({ cost: 4 });
  const made = await hash('x'.repeat(72));
  assert.equal(await matches('x'.repeat(72), made), true);
  assert.equal(await matches('x'.repeat(73), made), false);
});

test('an unknown account takes as long as a wrong password', async () => {
  const { hash, matches } = createPasswords({ cost: 9 });
  const made = await hash('a long pass phrase');
  await matches('warm up', null);
  const timed = async (against: string | null) => {
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      times.push(await cpuTime(() => matches('not the password', against)));
    }
    return Math.min(...times);
  };
  const [known, unknown] = [await timed(made), await timed(null)];
  assert.ok(unknown > known * 0.5 && unknown < known * 2, `${known} ms and ${unknown} ms`);
});

test('what is too much at once is asked to come back', async () => {
  const { hash } = createPasswords({ cost: 4, atOnce: 2, mostWaiting: 5 });
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => hash('a long pass phrase')));
  const refused = results.filter((result) => result.status === 'rejected');
  assert.equal(refused.length, 3);
  for (const { reason } of refused) assert.equal(reason.status, 503);
  await hash('a long pass phrase');
});

test('passwords have 8 characters to 72 bytes', () => {
  const refused = [
    '',
    'seven77',
    '🔑'.repeat(7),
    'x'.repeat(73),
    'ä'.repeat(37),
    'with a \0 inside',
    ' '.repeat(8),
    ' \u200B'.repeat(8),
  ];
  for (const password of refused) assert.throws(() => checkPassword(password), { status: 422 }, password);
  for (const password of ['eight888', '🔑'.repeat(8), 'x'.repeat(72), 'ä'.repeat(36)])
    checkPassword(password);
});
