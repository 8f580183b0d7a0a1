import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../../test/support/until.ts';
import { createBackground } from '../../../kit/background.ts';
import { createFollowing } from './following.ts';

function open(work: (owner: object, signal: AbortSignal) => Promise<boolean>) {
  const background = createBackground<object>();
  const failures: unknown[] = [];
  const failed = (error: unknown) => void failures.push(error);
  return { background, failures, ...createFollowing({ background, work, failed, retryMs: 1 }) };
}

test('what is left, or has failed, is tried again until it is done', async () => {
  const outcomes = [() => Promise.resolve(false), () => Promise.reject(new Error('mine'))];
  let runs = 0;
  const { follow, failures } = open(async () => {
    runs += 1;
    return (await outcomes.shift()?.()) ?? true;
  });
  follow({});
  await until(() => runs === 3);
  assert.deepEqual(failures, [new Error('mine')]);
});

test('what is asked for meanwhile is done once more', async () => {
  const project = {};
  let runs = 0;
  const { follow, background } = open(async () => {
    runs += 1;
    if (runs === 1) for (let times = 0; times < 3; times += 1) follow(project);
    return true;
  });
  follow(project);
  await background.idle();
  assert.equal(runs, 2);
});

test('a project that closes ends its work alone, and has none afterwards', async () => {
  const [closing, other] = [{}, {}];
  const ended: object[] = [];
  const { follow, close, stop } = open(async (owner, signal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    ended.push(owner);
    return false;
  });
  follow(closing);
  follow(other);
  await close(closing);
  assert.deepEqual(ended, [closing]);
  follow(closing);
  await stop();
  assert.deepEqual(ended, [closing, other]);
});
