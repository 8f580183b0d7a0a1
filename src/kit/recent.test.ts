import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRecent } from './recent.ts';

function world({ most = 10 } = {}) {
  let now = 0;
  let loads = 0;
  let answer = 'a';
  const gates: (() => void)[] = [];
  let isSlow = false;
  const recent = createRecent<string>({
    clock: { now: () => now },
    forMs: 100,
    most,
    load: async (key, previous) => {
      loads += 1;
      const value = `${key}${answer}${previous ?? ''}`;
      if (isSlow) await new Promise<void>((resolve) => gates.push(resolve));
      return value;
    },
  });
  return {
    recent,
    loads: () => loads,
    pass: (ms: number) => {
      now += ms;
    },
    say: (text: string) => {
      answer = text;
    },
    slowly: () => {
      isSlow = true;
    },
    open: () => {
      for (const gate of gates.splice(0)) gate();
      isSlow = false;
    },
  };
}

test('a value is found once, then at once, until its time is over', async () => {
  const { recent, loads, pass, say } = world();
  assert.equal(await recent.get('k'), 'ka');
  say('b');
  pass(99);
  assert.equal(recent.get('k'), 'ka');
  pass(1);
  assert.equal(await recent.get('k'), 'kbka');
  assert.equal(loads(), 2);
});

test('those who ask at once share one look', async () => {
  const { recent, loads } = world();
  assert.deepEqual(await Promise.all([recent.get('k'), recent.get('k')]), ['ka', 'ka']);
  assert.equal(loads(), 1);
});

test('what is forgotten is looked up anew, even by those who ask while an old look runs', async () => {
  const { recent, slowly, open, say } = world();
  slowly();
  const old = recent.get('k');
  say('b');
  recent.forget(() => true);
  const fresh = recent.get('k');
  open();
  assert.deepEqual([await old, await fresh], ['ka', 'kb']);
  assert.equal(recent.get('k'), 'kb');
});

test('the oldest go first', async () => {
  const { recent, loads } = world({ most: 2 });
  for (const key of ['x', 'y', 'z']) await recent.get(key);
  assert.equal(recent.get('z'), 'za');
  await recent.get('x');
  assert.equal(loads(), 4);
});

test('a failure is not remembered', async () => {
  let fails = true;
  const recent = createRecent<string>({
    clock: { now: () => 0 },
    forMs: 100,
    most: 2,
    load: async () => {
      if (fails) throw new Error('no');
      return 'yes';
    },
  });
  await assert.rejects(async () => recent.get('k'));
  fails = false;
  assert.equal(await recent.get('k'), 'yes');
});
