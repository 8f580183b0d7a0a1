import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asComponent } from '../../../test/support/guests/build-guest.ts';
import { createTestHost } from '../../../test/support/guests/guest-host.ts';
import type { GuestEntityChange } from './calls.ts';
import { type Guest, GuestError, type Guests } from './guests.ts';

/** Far more than it takes, since the machine may be busy. */
const deadlineMs = 60_000;

const MIRA: GuestEntityChange = {
  entityType: 'character',
  id: 'mira',
  entity: '{"name":"Míra 🪔"}',
  previous: null,
};

const REPORT = [
  'get {"type":"character","id":"mira","name":"Míra 🪔"}',
  'get none',
  'ids lena,mira',
  'ids noor,olin',
  'hit character mira Keeper of the lamp',
  'write {"id":"mira","age":40}',
  'write refused: there is no nobody',
  'settings {"lamp":"brass","key":"sésame"}',
  'set refused: a key has 1 to 256 bytes',
  'set ok',
  'value blue',
  'keys colour',
  'deleted ok',
  'value none',
  'emit ok',
  'emit refused: the payload is not JSON',
  'request 201 x-lamp=on shining',
  'request refused: this host is not granted',
];

export interface GuestConformance {
  /** The toolchain. */
  name: string;
  guests: Guests;
  /** A component that does what `test/support/guests/conformance-guest.js` does. */
  build(): Promise<Uint8Array>;
}

/** Everything in the world works, with a guest of one toolchain. */
export function guestConformance({ name, guests, build }: GuestConformance): void {
  const opened = async (): Promise<Guest> => guests.open(name, asComponent(await build()));
  const failsWith = (code: string, message: string) => (error: unknown) =>
    error instanceof GuestError && error.code === code && error.message === message && !error.isBreak;

  test(`${name}: its interfaces are told without running it`, async () => {
    const { exports, imports } = await (await opened()).shape();
    assert.deepEqual([...exports].sort(), ['hooks', 'metadata', 'routes']);
    assert.deepEqual([...imports].sort(), ['entities', 'events', 'http', 'kv', 'log', 'settings']);
    assert.ok(!guests.running().includes(name));
  });

  test(`${name}: it says what it is`, async () => {
    const info = await (await opened()).call('get-info', [], { deadlineMs, host: createTestHost() });
    const description = 'Calls everything: ünï 🦊';
    assert.deepEqual(info, { name: 'Conformance', version: '1.2.3', description });
  });

  test(`${name}: it finds faults in entities`, async () => {
    const guest = await opened();
    const options = { deadlineMs, host: createTestHost() };
    const findings = await guest.call('on-entity-validate', [MIRA], options);
    assert.deepEqual(findings, [
      { severity: 'info', field: null, message: 'character/mira' },
      { severity: 'warning', field: 'name', message: MIRA.entity },
      { severity: 'error', field: 'stats.strength', message: 'new' },
    ]);
    const [, , last] = await guest.call(
      'on-entity-validate',
      [{ ...MIRA, previous: '{"name":""}' }],
      options,
    );
    assert.equal(last?.message, '{"name":""}');
  });

  test(`${name}: it changes what is saved, leaves it, or fails and goes on`, async () => {
    const guest = await opened();
    const options = { deadlineMs, host: createTestHost() };
    assert.equal(await guest.call('on-entity-save', [MIRA], options), MIRA.entity);
    assert.equal(await guest.call('on-entity-save', [{ ...MIRA, id: 'same' }], options), null);
    await assert.rejects(
      guest.call('on-entity-save', [{ ...MIRA, id: 'refused' }], options),
      failsWith('failed', 'not saved by the guest'),
    );
    assert.equal(await guest.call('on-entity-save', [MIRA], options), MIRA.entity);
  });

  test(`${name}: it hears of what happened`, async () => {
    const guest = await opened();
    const host = createTestHost();
    await guest.call('on-entity-create', [MIRA], { deadlineMs, host });
    assert.deepEqual([...host.values], [['mira', MIRA.entity]]);
    await guest.call('on-entity-delete', [MIRA], { deadlineMs, host });
    assert.deepEqual([...host.values], []);
    await guest.call('on-project-init', ['{"id":"default"}'], { deadlineMs, host });
    assert.deepEqual(host.lines, ['info {"id":"default"}']);
  });

  const request = {
    method: 'PUT',
    path: '/lamps?lit=1',
    headers: [['accept', 'text/plain']],
    body: 'ünï',
    user: { id: 'u1', role: 'editor' },
  } as const;

  test(`${name}: it answers requests`, async () => {
    const guest = await opened();
    const options = { deadlineMs, host: createTestHost() };
    assert.deepEqual(await guest.call('handle-request', [request], options), {
      status: 404,
      headers: [
        ['accept', 'text/plain'],
        ['x-user', 'u1 editor'],
      ],
      body: 'PUT /lamps?lit=1 ünï',
    });
    const bare = await guest.call('handle-request', [{ ...request, headers: [], body: null }], options);
    assert.equal(bare.body, 'PUT /lamps?lit=1 none');
    await assert.rejects(
      guest.call('handle-request', [{ ...request, path: '/error' }], options),
      failsWith('failed', 'no answer'),
    );
  });

  test(`${name}: it calls everything that the host has`, async () => {
    const host = createTestHost();
    const guest = await opened();
    const reply = await guest.call('handle-request', [{ ...request, path: '/report' }], { deadlineMs, host });
    assert.deepEqual(reply.body.split('\n'), REPORT);
    assert.equal(reply.status, 200);
    assert.deepEqual(
      host.lines,
      ['debug', 'info', 'warn', 'error'].map((level) => `${level} a line of ${level}`),
    );
    assert.deepEqual(host.done, [
      ['write', 'character', 'mira', '{"age":40}'],
      ['write', 'character', 'nobody', '{}'],
      ['emit', 'lit', '{"lamp":1}'],
      ['emit', 'lit', 'no json'],
      ...['https://lamps.example/on', 'https://other.example/'].map((url) => [
        'request',
        { method: 'POST', url, headers: [['x-one', '1']], body: 'sent' },
      ]),
    ]);
  });
}
