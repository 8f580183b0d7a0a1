import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestHost } from '../../../../test/support/guests/guest-host.ts';
import { openGuest } from './guest-thread.ts';

/**
 * A translation that tries to get out: guests cannot write one, but a fault of the translator could let them. Each attempt returns
 * what it reached.
 */
const GLUE = `(module, imports, begin) => {
  let imported = 'pending';
  const log = imports['canonry:plugin/log'].log;
  const directories = imports['wasi:filesystem/preopens'].getDirectories();
  const attempts = {
    globals: () => ['process', 'require', 'fetch', 'setTimeout', 'setImmediate', 'queueMicrotask', 'Buffer', 'console',
      'Worker', 'MessageChannel', 'WebSocket', 'crypto', 'performance'].filter((name) => name in globalThis).join(),
    eval: () => eval('1'),
    ownConstructor: () => (() => {}).constructor('return 1')(),
    asyncConstructor: () => (async () => {}).constructor('return 1')(),
    hostFunction: () => log.constructor('return typeof process')(),
    hostChain: () => log.constructor.constructor('return typeof process')(),
    hostArray: () => directories.map.constructor('return typeof process')(),
    hostGenerator: () => Object.getPrototypeOf(directories.values).constructor('return typeof process')(),
    hostError: () => {
      try {
        imports['wasi:random/random'].getRandomBytes(10n ** 9n);
      } catch (error) {
        return error.constructor.constructor('return typeof process')();
      }
    },
    import: () => {
      import('node:fs').then((found) => (imported = 'the file system'), (error) => (imported = error.code));
      return 'asked';
    },
    imported: () => imported,
  };
  return {
    'canonry:plugin/metadata@1.0.0': {
      attempt(name) {
        try {
          return String(attempts[name]());
        } catch (error) {
          return error.name;
        }
      },
    },
  };
}`;

test('a fault of the translation reaches nothing but the language', async (t) => {
  const host = createTestHost();
  const call = { interface: 'canonry:plugin/metadata@1.0.0', method: 'attempt', deadlineMs: 60_000, host };
  const prepared = { exports: [], imports: [], modules: [], glue: GLUE };
  const thread = openGuest(prepared, 60_000);
  t.after(thread.end);
  await thread.begin(host);
  const attempt = (name: string) => thread.call({ ...call, args: [name] });
  assert.equal(await attempt('globals'), '');
  assert.equal(await attempt('eval'), 'EvalError');
  assert.equal(await attempt('ownConstructor'), 'EvalError');
  assert.equal(await attempt('asyncConstructor'), 'EvalError');
  for (const name of ['hostFunction', 'hostChain', 'hostArray', 'hostGenerator', 'hostError'])
    assert.equal(await attempt(name), 'TypeError', name);
  assert.equal(await attempt('import'), 'asked');
  assert.equal(await attempt('imported'), 'ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING');
});
