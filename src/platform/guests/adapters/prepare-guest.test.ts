import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assembled,
  buildGuest,
  guestFile,
  guestSource,
  wrapGuest,
} from '../../../../test/support/guests/build-guest.ts';
import fc from '../../../../test/support/properties.ts';
import { GuestError } from '../guests.ts';
import { boundComponent } from './component/bound-component.ts';
import { RefusedComponent } from './component/bytes.ts';
import { memoriesOf } from './component/core-module.ts';
import { importsOf } from './component/imports.ts';
import { prepareGuest } from './prepare-guest.ts';
import { translate } from './translate.ts';

const OWNER = 'tenant';

/** A guest with no more than `metadata`, and what a test adds to its core module. */
async function guestWith(parts: string, memory = '(memory (export "memory") 1)'): Promise<Uint8Array> {
  const module = `(module
    (func (export "canonry:plugin/metadata@1.0.0#get-info") (result i32) i32.const 0)
    (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) i32.const 0)
    ${memory}
    ${parts})`;
  return wrapGuest(await assembled(module), 'plugin');
}

async function refusal(bytes: Uint8Array): Promise<string> {
  const outcome = await translate(bytes).then(
    () => 'it was taken',
    (error: unknown) => error,
  );
  assert.ok(outcome instanceof RefusedComponent, String(outcome));
  return outcome.message;
}

test('a component of the world is taken, and is plain data then', async () => {
  const prepared = await prepareGuest(await guestWith(''), OWNER);
  assert.deepEqual([prepared.exports, prepared.imports], [['metadata'], []]);
  assert.deepEqual(structuredClone(prepared), prepared);
});

test('a refusal says why', async () => {
  const outcome = await prepareGuest(await assembled('(component)'), OWNER).catch((error: unknown) => error);
  assert.ok(outcome instanceof GuestError);
  assert.equal(outcome.code, 'refused');
  assert.match(outcome.message, /does not export canonry:plugin\/metadata@1\.0\.0/);
});

test('a component is translated while the service answers', async () => {
  const component = await buildGuest(guestSource('conformance-guest'));
  const before = performance.eventLoopUtilization();
  await prepareGuest(component, OWNER);
  const { active, idle } = performance.eventLoopUtilization(before);
  assert.ok(active < idle, `${active} ms of ${active + idle}`);
});

test('owners take turns, however many components one of them has', async () => {
  const component = await guestWith('');
  const done: string[] = [];
  const works = ['one', 'one', 'one', 'other'].map(async (owner) => {
    await prepareGuest(component, owner);
    done.push(owner);
  });
  await Promise.all(works);
  assert.deepEqual(done, ['one', 'other', 'one', 'one']);
});

test('the largest memory of a component gets 64 MiB less what the others may take', async () => {
  const limits = async (bytes: Uint8Array) =>
    (await translate(bytes)).modules.flatMap(([, module]) => memoriesOf(module)).map(({ max }) => max);
  assert.deepEqual(await limits(await guestWith('')), [1024]);
  assert.deepEqual(await limits(await guestWith('', '(memory (export "memory") 1 7)')), [7]);
  const quickJs = await limits(await buildGuest(guestSource('conformance-guest')));
  assert.equal(quickJs.length, 2);
  assert.equal(
    quickJs.reduce<number>((sum, pages) => sum + Number(pages), 0),
    1024,
  );
});

test('what is no component is refused', async () => {
  assert.match(await refusal(Buffer.from('{"not":"wasm"}')), /not a WebAssembly component/);
  assert.match(await refusal(guestFile('conformance-guest.core.wasm')), /a core module has to be made one/);
  const whole = await guestWith('');
  assert.match(await refusal(whole.subarray(0, whole.length - 9)), /cut off|not valid|does not export/);
  const damaged = Uint8Array.from(whole);
  damaged.fill(255, 40, 60);
  assert.match(await refusal(damaged), /cut off|damaged|not valid|too long/);
  assert.match(
    await refusal(await assembled('(component)')),
    /does not export canonry:plugin\/metadata@1\.0\.0/,
  );
});

test('an import that guests do not get is refused by its name', async () => {
  const importing = async (name: string, what = '(instance)') =>
    refusal(await assembled(`(component (import "${name}" ${what}))`));
  assert.match(
    await importing('wasi:sockets/tcp@0.2.3'),
    /imports wasi:sockets\/tcp@0\.2\.3, .*canonry:plugin\/http/,
  );
  assert.match(await importing('wasi:http/outgoing-handler@0.2.0'), /wasi:http.*canonry:plugin\/http/);
  assert.match(await importing('wasi:cli/environment@0.3.0'), /wasi:cli\/environment@0\.3\.0/);
  assert.match(
    await importing('canonry:plugin/log@2.0.0'),
    /canonry:plugin\/log@2\.0\.0.*canonry:plugin@1\.0\.0/,
  );
  assert.match(await importing('other:things/all'), /other:things\/all/);
  assert.match(await importing('print', '(func)'), /imports print, which is no interface/);
});

test('more memory than a guest gets, shared memory, and huge tables are refused', async () => {
  assert.match(
    await refusal(await guestWith('', '(memory (export "memory") 1025)')),
    /more memory than 64 MiB/,
  );
  assert.match(await refusal(await guestWith('(table 1000000 funcref)')), /a table of 1000000 entries/);
  assert.match(await refusal(await guestWith('(memory 1 2 shared)')), /shared or of 64 bits/);
  assert.match(await refusal(await guestWith('(memory i64 1)')), /shared or of 64 bits/);
  assert.match(await refusal(await guestWith('(table 1 funcref)'.repeat(11))), /more than 10 tables/);
  const typed = '(type $t (func)) (table 1 (ref null $t))';
  assert.match(await refusal(await guestWith(typed)), /a type of reference/);
});

test('what the engine does not limit is refused', async () => {
  for (const type of ['(array (mut i64))', '(struct (field i64))', '(sub (func))'])
    assert.match(await refusal(await guestWith(`(type ${type})`)), /garbage collection/, type);
  const long = `(func ${'nop '.repeat(300_001)})`;
  assert.match(await refusal(await guestWith(long)), /a function of 30\d+ bytes/);
  assert.match(await refusal(new Uint8Array(17 * 1024 * 1024)), /larger than 16 MiB/);
  assert.match(await refusal(await guestWith('(rec (type (func)) (type (func)))')), /garbage collection/);
});

test('a damaged component is refused or taken, and nothing else happens', async () => {
  const whole = await guestWith('(table 1 funcref)');
  const damages = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(damages, fc.nat(whole.length), (changes, length) => {
      const damaged = Uint8Array.from(whole);
      for (const [at, value] of changes) damaged[at] = value;
      for (const bytes of [damaged, damaged.subarray(0, length)]) {
        try {
          importsOf(boundComponent(bytes));
        } catch (error) {
          assert.ok(error instanceof RefusedComponent, String(error));
        }
      }
    }),
  );
});

test('names that would become program text are refused', async () => {
  for (const name of ["x'+(globalThis.pwned=1)+'", 'back`tick', '\\\\', 'line\\nbreak', '*/', '__proto__']) {
    const wat = `(component
      (core module $m (func (export "${name}")))
      (core instance $i (instantiate $m)))`;
    assert.match(await refusal(await assembled(wat)), /a forbidden name/, name);
    const inline = `(component
      (core module $m (func (export "f")))
      (core instance $i (instantiate $m))
      (core instance (export "${name}" (func $i "f"))))`;
    assert.match(await refusal(await assembled(inline)), /a forbidden name/, name);
  }
  const address = `(component (component (import "url=<'quoted'>" (func))))`;
  assert.match(await refusal(await assembled(address)), /a name with an address/);
});
