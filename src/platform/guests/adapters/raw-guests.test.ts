import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { asComponent, assembled, wrapModule } from '../../../../test/support/guests/build-guest.ts';
import { testGuests } from '../../../../test/support/guests/guest-folder.ts';
import { createTestHost } from '../../../../test/support/guests/guest-host.ts';
import { until } from '../../../../test/support/until.ts';
import { type GuestComponent, GuestError, type GuestLimits } from '../guests.ts';
import type { GuestHost } from '../host.ts';

/** Of the world, but with types of its own. */
const witWith = (result: string): string => `package test:guest;
  world guest {
    import canonry:plugin/kv@1.0.0;
    import canonry:plugin/log@1.0.0;
    export canonry:plugin/metadata@1.0.0;
  }
  package canonry:plugin@1.0.0 {
    interface kv { delete: func(key: u32); get: func(key: string) -> u32; }
    interface log { log: func(level: u32, message: string); }
    interface metadata { ${result} }
  }`;

const INFO = 'record info { name: string, version: string, description: string } get-info: func() -> info;';

interface RawGuest {
  /** The body of `get-info`. */
  deed: string;
  host?: GuestHost;
  more?: string;
  exports?: string;
}

async function componentOf({ deed, more = '', exports = INFO }: RawGuest): Promise<GuestComponent> {
  const module = `(module
    (import "canonry:plugin/kv@1.0.0" "delete" (func $delete (param i32)))
    (import "canonry:plugin/kv@1.0.0" "get" (func $get (param i32 i32) (result i32)))
    (import "canonry:plugin/log@1.0.0" "log" (func $log (param i32 i32 i32)))
    (memory (export "memory") 1)
    (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 1024))
    (func (export "canonry:plugin/metadata@1.0.0#get-info") (result i32) ${deed})
    ${more})`;
  return asComponent(await wrapModule(await assembled(module), witWith(exports), 'guest'));
}

async function failure(
  t: TestContext,
  raw: RawGuest,
  limits: Partial<GuestLimits> = {},
): Promise<GuestError> {
  const guest = testGuests(t, limits).open('raw', await componentOf(raw));
  const options = { deadlineMs: 60_000, host: raw.host ?? createTestHost() };
  const error = await guest.call('get-info', [], options).then(String, (reason: unknown) => reason);
  assert.ok(error instanceof GuestError, JSON.stringify(error));
  return error;
}

const breakOf = (error: GuestError): string => `${error.code}: ${error.isBreak}`;

test('a crash, and a stack that overflows', async (t) => {
  assert.equal(breakOf(await failure(t, { deed: 'unreachable' })), 'trap: true');
  const more = '(func $deep (param i32) (result i32) (i32.add (call $deep (local.get 0)) (i32.const 1)))';
  const deep = await failure(t, { more, deed: '(call $deep (i32.const 0))' });
  assert.equal(breakOf(deep), 'trap: true');
  assert.match(deep.message, /stack/);
});

test('a result that points nowhere, and one of another type', async (t) => {
  const nowhere = await failure(t, { deed: '(i32.const 0x7ffffff0)' });
  assert.match(breakOf(nowhere), /^(trap|bad_result): true$/);
  const number = await failure(t, { exports: 'get-info: func() -> u32;', deed: '(i32.const 7)' });
  assert.equal(breakOf(number), 'bad_result: true');
  assert.equal(number.message, 'its result is not a record');
});

test('an argument of another type', async (t) => {
  const error = await failure(t, { deed: '(call $delete (i32.const 7)) (i32.const 0)' });
  assert.equal(breakOf(error), 'bad_result: true');
  assert.equal(error.message, 'kv.delete: argument 1 is not a text');
});

test('a beginning that crashes or never ends', async (t) => {
  const crash = await failure(t, { deed: '(i32.const 0)', more: '(func $s unreachable) (start $s)' });
  assert.equal(breakOf(crash), 'trap: true');
  const loop = '(func $s (loop $again (br $again))) (start $s)';
  const endless = await failure(t, { deed: '(i32.const 0)', more: loop }, { startMs: 200 });
  assert.equal(breakOf(endless), 'timeout: true');
});

test('memory that is asked for beyond the limit is not given', async (t) => {
  const grow = '(if (i32.ne (memory.grow (i32.const 1024)) (i32.const -1)) (then (return (i32.const 0))))';
  const error = await failure(t, { deed: `${grow} unreachable` });
  assert.equal(breakOf(error), 'trap: true');
  const full = await failure(t, { deed: '(drop (memory.grow (i32.const 1023))) unreachable' });
  assert.equal(breakOf(full), 'memory: true');
});

test('texts that fill the whole memory', async (t) => {
  const log = '(call $log (i32.const 0) (i32.const 0) (i32.const 0x3000000))';
  const grow = '(drop (memory.grow (i32.const 900)))';
  const error = await failure(t, { deed: `${grow} (loop $again ${log} (br $again)) (i32.const 0)` });
  assert.equal(breakOf(error), 'bad_result: true');
});

/** `get` of the host, which counts. */
function countedHost(get: () => Promise<string>) {
  const host = createTestHost();
  let asked = 0;
  const counting = () => {
    asked += 1;
    return get();
  };
  return { host: { ...host, kv: { ...host.kv, get: counting } }, asked: () => asked };
}

test('a guest that catches what stops it is stopped all the same', async (t) => {
  const { host, asked } = countedHost(() => Promise.reject(new Error('the database is gone')));
  const ask = (label: string) =>
    `(block $${label} (try_table (catch_all $${label}) (drop (call $get (i32.const 0) (i32.const 3)))))`;
  const error = await failure(t, { host, deed: `${ask('one')} ${ask('two')} (i32.const 0)` });
  assert.equal(breakOf(error), 'host: false');
  assert.equal(asked(), 1);
});

test('a guest that is ended while it begins', async (t) => {
  const guests = testGuests(t);
  const more = '(func $s (loop $again (br $again))) (start $s)';
  const guest = guests.open('raw', await componentOf({ deed: '(i32.const 0)', more }));
  const options = { deadlineMs: 60_000, host: createTestHost() };
  const ended = assert.rejects(guest.call('get-info', [], options), { code: 'ended' });
  await until(() => guests.running().includes('raw'));
  await guests.end('raw');
  await ended;
  assert.deepEqual(guests.running(), []);
});
