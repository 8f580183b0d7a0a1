import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { asComponent, assembled, wrapModule } from '../../../../test/support/guests/build-guest.ts';
import { testGuests } from '../../../../test/support/guests/guest-folder.ts';
import { createTestHost, type TestHost } from '../../../../test/support/guests/guest-host.ts';
import { GuestError } from '../guests.ts';

/** The parts of WASI that the guest below calls. */
const WIT = `package test:guest;
  world guest {
    import wasi:cli/environment@0.2.0;
    import wasi:cli/exit@0.2.3;
    import wasi:cli/stderr@0.2.0;
    import wasi:cli/stdout@0.2.0;
    import wasi:clocks/monotonic-clock@0.2.0;
    import wasi:clocks/wall-clock@0.2.0;
    import wasi:filesystem/preopens@0.2.0;
    import wasi:random/random@0.2.0;
    export canonry:plugin/metadata@1.0.0;
  }
  package wasi:io@0.2.0 {
    interface poll { resource pollable { block: func(); } }
    interface streams {
      resource output-stream { blocking-write-and-flush: func(contents: list<u8>) -> result; }
    }
  }
  package wasi:cli@0.2.0 {
    interface environment { get-environment: func() -> list<tuple<string, string>>; }
    interface stderr { use wasi:io/streams@0.2.0.{output-stream}; get-stderr: func() -> output-stream; }
    interface stdout { use wasi:io/streams@0.2.0.{output-stream}; get-stdout: func() -> output-stream; }
  }
  package wasi:cli@0.2.3 { interface exit { exit: func(status: result); } }
  package wasi:clocks@0.2.0 {
    interface monotonic-clock {
      use wasi:io/poll@0.2.0.{pollable};
      now: func() -> u64;
      subscribe-duration: func(when: u64) -> pollable;
    }
    interface wall-clock { record datetime { seconds: u64, nanoseconds: u32 } now: func() -> datetime; }
  }
  package wasi:filesystem@0.2.0 { interface preopens { get-directories: func() -> list<string>; } }
  package wasi:random@0.2.0 { interface random { get-random-bytes: func(length: u64) -> list<u8>; } }
  package canonry:plugin@1.0.0 {
    interface metadata {
      record info { name: string, version: string, description: string }
      get-info: func() -> info;
    }
  }`;

/** \`get-info\` runs \`deed\`, which traps by \`must\` where something is not as promised. */
const guestThat = (deed: string): string => `(module
  (import "wasi:cli/environment@0.2.0" "get-environment" (func $environment (param i32)))
  (import "wasi:cli/exit@0.2.3" "exit" (func $exit (param i32)))
  (import "wasi:cli/stderr@0.2.0" "get-stderr" (func $err (result i32)))
  (import "wasi:cli/stdout@0.2.0" "get-stdout" (func $out (result i32)))
  (import "wasi:io/streams@0.2.0" "[method]output-stream.blocking-write-and-flush"
    (func $write (param i32 i32 i32) (result i32)))
  (import "wasi:clocks/monotonic-clock@0.2.0" "now" (func $elapsed (result i64)))
  (import "wasi:clocks/monotonic-clock@0.2.0" "subscribe-duration" (func $after (param i64) (result i32)))
  (import "wasi:io/poll@0.2.0" "[method]pollable.block" (func $wait (param i32)))
  (import "wasi:clocks/wall-clock@0.2.0" "now" (func $now (param i32)))
  (import "wasi:filesystem/preopens@0.2.0" "get-directories" (func $folders (param i32)))
  (import "wasi:random/random@0.2.0" "get-random-bytes" (func $random (param i64 i32)))
  (memory (export "memory") 1)
  (data (i32.const 100) "one\\ntwo, ")
  (data (i32.const 200) "and more\\nlast")
  (data (i32.const 300) "oh no")
  (func $must (param i32) (if (i32.eqz (local.get 0)) (then unreachable)))
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 1024))
  (func (export "canonry:plugin/metadata@1.0.0#get-info") (result i32) ${deed} (i32.const 0)))`;

async function run(t: TestContext, host: TestHost, deed: string, deadlineMs = 60_000) {
  const component = asComponent(await wrapModule(await assembled(guestThat(deed)), WIT, 'guest'));
  return testGuests(t).open('wasi', component).call('get-info', [], { deadlineMs, host });
}

test('what a guest writes to its output and error is in the log, by lines', async (t) => {
  const host = createTestHost();
  await run(
    t,
    host,
    `(call $must (i32.eqz (call $write (call $out) (i32.const 100) (i32.const 9))))
     (call $must (i32.eqz (call $write (call $err) (i32.const 300) (i32.const 5))))
     (call $must (i32.eqz (call $write (call $out) (i32.const 200) (i32.const 13))))`,
  );
  assert.deepEqual(host.lines, ['info one', 'info two, and more', 'info last', 'warn oh no']);
});

test('there are no variables, no folders, and no time below a millisecond', async (t) => {
  await run(
    t,
    createTestHost(),
    `(call $environment (i32.const 400)) (call $must (i32.eqz (i32.load (i32.const 404))))
     (call $folders (i32.const 400)) (call $must (i32.eqz (i32.load (i32.const 404))))
     (call $now (i32.const 400))
     (call $must (i64.gt_u (i64.load (i32.const 400)) (i64.const 1700000000)))
     (call $must (i32.eqz (i32.rem_u (i32.load (i32.const 408)) (i32.const 1000000))))
     (call $must (i64.eqz (i64.rem_u (call $elapsed) (i64.const 1000000))))`,
  );
});

test('chance is there, in small amounts', async (t) => {
  const zero = '(i64.eqz (i64.load (i32.const 1024)))';
  await run(
    t,
    createTestHost(),
    `(call $random (i64.const 8) (i32.const 400))
     (call $must (i32.eq (i32.load (i32.const 404)) (i32.const 8))) (call $must (i32.eqz ${zero}))`,
  );
  await assert.rejects(
    run(t, createTestHost(), '(call $random (i64.const 1000000000) (i32.const 400))'),
    (error) => error instanceof GuestError && error.code === 'trap',
  );
});

test('a guest that exits has crashed', async (t) => {
  await assert.rejects(
    run(t, createTestHost(), '(call $exit (i32.const 0))'),
    (error) => error instanceof GuestError && error.code === 'trap' && /exited/.test(error.message),
  );
});

test('a guest that sleeps uses its time, and has no more of it than one that works', async (t) => {
  const began = performance.now();
  const slept = run(t, createTestHost(), '(call $wait (call $after (i64.const 60000000000)))', 2_000);
  const error = await slept.then(String, (reason: unknown) => reason);
  assert.ok(error instanceof GuestError, String(error));
  assert.deepEqual([error.code, error.isBreak], ['timeout', true]);
  // One that a busy machine lets wait may take four times as long.
  assert.ok(performance.now() - began < 7_000);
});
