import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import type { PlanName, Role } from '../../access/plans.ts';
import { contract } from '../contract.ts';
import { conflict, HttpError, unavailable } from '../errors.ts';
import { ReadyJson, Reply, route } from '../route.ts';
import { createRouteCalls, type RouteCaller } from './route-calls.ts';

class PortError extends Error {}

const shared = { auth: 'bearer', tag: 'Test', summary: 'For a test', project: true } as const;
const reply = Type.Object({ said: Type.Unknown() });
const greet = contract('POST /api/greet/{name}', {
  ...shared,
  name: 'greet',
  params: Type.Object({ name: Type.String({ maxLength: 5 }) }),
  query: Type.Object({ times: Type.Optional(Type.Integer({ minimum: 1, default: 2 })) }),
  body: Type.Object({ dry_run: Type.Optional(Type.Boolean()) }),
  memory: 100,
  reply,
});
const rule = contract('GET /api/rule', { ...shared, name: 'rule', role: 'admin', reply });
const sync = contract('GET /api/sync', { ...shared, name: 'sync', feature: 'cloud_sync', reply });
const fail = contract('GET /api/fail', {
  ...shared,
  name: 'fail',
  query: Type.Object({ how: Type.String() }),
  memory: 100,
  reply,
});
const wrapped = contract('GET /api/wrapped', { ...shared, name: 'wrapped', reply });
const later = contract('GET /api/later', { ...shared, name: 'later', memory: 100, reply });
const elsewhere = contract('GET /api/elsewhere', { ...shared, name: 'elsewhere', reply });

const FAILURES: Readonly<Record<string, () => Error>> = {
  refusal: () => conflict('Not now', { code: 'busy' }),
  port: () => new PortError('the cable is out'),
  fault: () => new TypeError('a mistake'),
};

/** Bytes that routes hold, by tenant, and how their requests ended. */
const held = new Map<string, number>();
let ended = 0;
const work = Promise.withResolvers<void>();

const callRoute = createRouteCalls({
  async holdBytes(tenantId, bytes) {
    held.set(tenantId, (held.get(tenantId) ?? 0) + bytes);
    return () => void held.set(tenantId, (held.get(tenantId) ?? 0) - bytes);
  },
  translateError: (error) => (error instanceof PortError ? unavailable(error.message) : null),
  routes: [
    route(greet, ({ params, query, body, tenantId, projectId, actor, callerGone, onEnd }) => {
      onEnd(() => {
        ended += 1;
      });
      const gone = callerGone().aborted;
      return { said: { params, query, body, tenantId, projectId, actor, gone, held: held.get(tenantId) } };
    }),
    route(rule, () => ({ said: 'ruled' })),
    route(sync, () => new Reply(new ReadyJson('{"said":"synced"}'), { status: 202 })),
    route(fail, async ({ query, holdBytes }) => {
      await holdBytes(50);
      throw FAILURES[query.how]?.() ?? new Error('unknown');
    }),
    route(wrapped, () => new Reply({ said: 'wrapped' })),
    route(later, ({ goesOn }) => {
      goesOn(work.promise);
      return { said: 'later' };
    }),
  ],
});

const caller = (
  role: Role = 'viewer',
  plan: PlanName = 'enterprise',
  signal = new AbortController().signal,
) => {
  const principal = {
    userId: 'ada',
    email: 'ada@example.com',
    tenantId: 'one',
    role,
    tenantRole: role,
    plan,
  };
  const of = { tenantId: 'one', projectId: 'novel', actor: 'ada', plan, requestId: 'r', address: '::1' };
  return { ...of, principal, signal } satisfies RouteCaller;
};

const refusedAs = (status: number, code: string) => (error: unknown) =>
  error instanceof HttpError && error.status === status && error.extras.code === code;

test('a route runs for its caller, with defaults, and holds its memory meanwhile', async () => {
  const gone = new AbortController();
  gone.abort();
  const { said } = await callRoute(greet, caller('viewer', 'free', gone.signal), {
    params: { name: 'Mira' },
    body: { dry_run: true },
  });
  assert.deepEqual(said, {
    params: { name: 'Mira' },
    query: { times: 2 },
    body: { dry_run: true },
    ...{ tenantId: 'one', projectId: 'novel', actor: 'ada', gone: true, held: 100 },
  });
  assert.equal(ended, 1);
  await freed();
  assert.deepEqual(await callRoute(wrapped, caller()), { said: 'wrapped' });
});

test('a role or a plan that does not reach is refused', async () => {
  await assert.rejects(callRoute(rule, caller('editor')), refusedAs(403, 'insufficient_role'));
  assert.deepEqual(await callRoute(rule, caller('admin')), { said: 'ruled' });
  await assert.rejects(callRoute(sync, caller('owner', 'free')), refusedAs(403, 'feature_unavailable'));
  assert.deepEqual(await callRoute(sync, caller()), { said: 'synced' });
});

test('parameters, query and body are checked as those of a request', async () => {
  const good = { params: { name: 'Mira' }, query: { times: 1 }, body: {} };
  await callRoute(greet, caller(), good);
  for (const [part, said] of [
    [{ params: { name: 'Miranda' } }, /name/],
    [{ query: { times: 0 } }, /times/],
    [{ body: { dry_run: 'yes' } }, /dry_run/],
    [{ body: { dry_rnu: true } }, /did you mean/],
  ] as const)
    await assert.rejects(
      callRoute(greet, caller(), { ...good, ...part } as typeof good),
      (error: unknown) => error instanceof HttpError && error.status === 422 && said.test(error.message),
      JSON.stringify(part),
    );
  assert.equal(ended, 2, 'a refused call does not reach its handler');
});

test('a handler that fails releases its memory; what a port throws is a refusal, a fault stays a fault', async () => {
  const failing = (how: string) => callRoute(fail, caller(), { query: { how } });
  await assert.rejects(failing('refusal'), refusedAs(409, 'busy'));
  await assert.rejects(failing('port'), (error) => error instanceof HttpError && error.status === 503);
  await assert.rejects(failing('fault'), TypeError);
  await freed();
});

test('work that goes on after the answer keeps the memory', async () => {
  await callRoute(later, caller());
  await freed(100);
  work.reject(new Error('it came to nothing'));
  await freed();
});

test('a route of another surface is a mistake of ours', async () => {
  await assert.rejects(callRoute(elsewhere, caller()), /elsewhere is not in the list/);
});

/** Memory is released after the turn that answers. */
async function freed(left = 0): Promise<void> {
  await new Promise(setImmediate);
  assert.equal(held.get('one'), left);
}
