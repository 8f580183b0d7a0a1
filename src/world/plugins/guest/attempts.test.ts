import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GuestError, type GuestFailure } from '../../../platform/guests/guests.ts';
import { createAttempts } from './attempts.ts';

const project = {};
const plugin = { folder: { id: 'one' }, hash: 'first', granted: ['http:a.example'] };
const signal = new AbortController().signal;
const asked = { signal, about: 'on-entity-create 7' };

const failing = (code: GuestFailure) => async () => {
  throw new GuestError(code, code);
};

test('a call is made with the grants that the plugin has now, and not once it has ended or changed', async () => {
  let running = [plugin];
  const attempt = createAttempts({ of: async () => running });
  const grantsOf = async (present: typeof plugin) => present.granted;
  assert.deepEqual((await attempt(project, plugin, asked, grantsOf))?.result, ['http:a.example']);
  running = [{ ...plugin, granted: [] }];
  assert.deepEqual((await attempt(project, plugin, asked, grantsOf))?.result, []);
  for (const others of [[], [{ ...plugin, hash: 'second' }]]) {
    running = others;
    assert.equal(await attempt(project, plugin, asked, grantsOf), null);
  }
});

test('a service that stops calls nobody any more', async () => {
  const attempt = createAttempts({ of: async () => [plugin] });
  const made = attempt(project, plugin, { ...asked, signal: AbortSignal.abort() }, async () => 'called');
  assert.equal(await made, null);
});

test('what says nothing of the guest is tried again, and what is its own doing is over', async () => {
  const attempt = createAttempts({ of: async () => [plugin] });
  for (let tries = 0; tries < 5; tries += 1)
    for (const code of ['busy', 'ended'] as const)
      assert.equal(await attempt(project, plugin, asked, failing(code)), null, code);
  for (const code of ['failed', 'timeout', 'trap', 'not_exported'] as const) {
    const made = await attempt(project, plugin, asked, failing(code));
    assert.equal(made?.failure?.code, code);
  }
});

test('what the host fails in again and again is left out', async () => {
  const attempt = createAttempts({ of: async () => [plugin] });
  assert.equal(await attempt(project, plugin, asked, failing('host')), null);
  assert.equal(await attempt(project, plugin, { ...asked, about: 'another' }, failing('host')), null);
  assert.equal(await attempt(project, plugin, asked, failing('host')), null);
  assert.equal((await attempt(project, plugin, asked, failing('host')))?.failure?.code, 'host');
});

test('an error that is not of guests is passed on', async () => {
  const attempt = createAttempts({ of: async () => [plugin] });
  const call = () => Promise.reject(new RangeError('mine'));
  await assert.rejects(attempt(project, plugin, asked, call), RangeError);
});
