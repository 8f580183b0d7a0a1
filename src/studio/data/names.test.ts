import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NamesReply } from '../domain/names-index.ts';
import { openStore } from '../kit/store/open-store.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createNames } from './names.ts';

const reply = (name: string, cursor: string, full = true): NamesReply => ({
  types: ['character'],
  t: [0],
  id: [name.toLowerCase()],
  name: [name],
  aliases: [null],
  status: [null],
  gone: [],
  cursor,
  full,
});

async function setUp() {
  const clock = createFakeClock();
  const store = await openStore({ name: 'names', now: clock.now, patienceMs: 1 });
  const asked: (string | undefined)[] = [];
  const answers: (NamesReply | Error)[] = [];
  const namesOf = (account = 'ada') =>
    createNames({
      store,
      timers: clock,
      account,
      project: 'p',
      async read(cursor) {
        asked.push(cursor);
        const answer = answers.shift() ?? { ...reply('', cursor ?? '', false), id: [], name: [] };
        if (answer instanceof Error) throw answer;
        return answer;
      },
    });
  return { clock, asked, answers, namesOf };
}

test('names are read whole once, kept, and then brought up to date by cursor', async () => {
  const { clock, asked, answers, namesOf } = await setUp();
  answers.push(reply('Mira', 'c1'), reply('Oda', 'c2', false));
  const names = namesOf();
  let told = 0;
  names.subscribe(() => told++);
  assert.equal(names.getSnapshot().isReady, false);
  await names.start();
  await names.update();
  assert.deepEqual([names.getSnapshot().count, told], [2, 2]);
  await names.update();
  assert.equal(told, 2);
  await clock.advance(5_000);

  answers.push(new TypeError('fetch failed'));
  const offline = namesOf();
  await offline.start();
  const { isReady, count, isStale } = offline.getSnapshot();
  assert.deepEqual({ isReady, count, isStale }, { isReady: true, count: 2, isStale: true });
  assert.equal(offline.search('od', { limit: 5 })[0]?.id, 'oda');
  await offline.update();
  assert.equal(offline.getSnapshot().isStale, false);
  assert.deepEqual(asked, [undefined, 'c1', 'c2', 'c2', 'c2']);
  const other = namesOf('bo');
  await other.start();
  assert.equal(other.getSnapshot().count, 0);
});

test('many events at once are one reading after the one that runs', async () => {
  const { asked, answers, namesOf } = await setUp();
  const names = namesOf();
  answers.push(reply('Mira', 'c1'));
  await Promise.all([names.update(), names.update(), names.update(), names.update()]);
  assert.equal(asked.length, 2);
});

test('what was opened last is known to the next page', async () => {
  const { clock, answers, namesOf } = await setUp();
  answers.push(reply('Mira', 'c1'));
  const names = namesOf();
  await names.start();
  names.touch('character', 'mira');
  await clock.advance(5_000);
  const next = namesOf();
  await next.start();
  assert.deepEqual(
    next.search('', { limit: 5 }).map(({ id }) => id),
    ['mira'],
  );
});

test('names that could not be read are asked for again, until they are not needed any more', async () => {
  const { clock, asked, answers, namesOf } = await setUp();
  answers.push(new TypeError('fetch failed'), new TypeError('fetch failed'), reply('Mira', 'c1'));
  const names = namesOf();
  await names.start();
  assert.equal(names.getSnapshot().isReady, false);
  await clock.advance(40_000);
  assert.deepEqual([names.getSnapshot().count, names.getSnapshot().isStale], [1, false]);
  assert.equal(asked.length, 3);

  answers.push(new TypeError('fetch failed'));
  await names.update();
  names.stop();
  await clock.advance(40_000);
  assert.equal(asked.length, 4);
});
