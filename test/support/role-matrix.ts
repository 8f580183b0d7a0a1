import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { type FeatureOverrides, featuresOf } from '../../src/access/entitlements.ts';
import { type PlanName, type Role, roleAllows } from '../../src/access/plans.ts';
import type { Contract, ContractAuth } from '../../src/kit/contract.ts';
import { sampleRequest } from './sample-request.ts';

export interface Caller {
  who: string;
  /** Null without an account. */
  role: Role | null;
  plan: PlanName;
  overrides?: FeatureOverrides;
  /** Set for an API key. */
  mayOnlyRead?: boolean;
  token: string;
}

export interface Matrix {
  app: FastifyInstance;
  contracts: readonly Contract[];
  callers: readonly Caller[];
  serviceToken: string | null;
  /** Content may be read anonymously, as in a single-tenant installation. */
  isOpen: boolean;
}

/** `passes`: the contract's conditions hold, and the handler decides. */
type Expected = 'passes' | { status: 401 | 403 | 426; code: string };

const refused = (status: 401 | 403 | 426, code: string): Expected => ({ status, code });

const endsSession = ({ path }: Contract): boolean => path.endsWith('/logout');

/** Derived from the contract alone. */
const EXPECTED: Record<ContractAuth, (contract: Contract, caller: Caller, isOpen: boolean) => Expected> = {
  none: (contract, caller, isOpen) =>
    contract.project && !isOpen && caller.role === null ? refused(401, 'not_authenticated') : 'passes',
  // The access token alone can end its session.
  refresh: (contract, { role, mayOnlyRead }) =>
    endsSession(contract) && role !== null && mayOnlyRead === undefined
      ? 'passes'
      : refused(401, 'invalid_refresh_token'),
  cookie: () => refused(401, 'not_authenticated'),
  service: () => refused(401, 'not_authenticated'),
  // Without BILLING_WEBHOOK_SECRET the handler says so.
  signature: () => 'passes',
  // Nobody may collect metrics without METRICS_TOKEN, and these tests set none.
  metrics: () => 'passes',
  ws: () => refused(426, 'upgrade_required'),
  bearer(contract, { role, plan, overrides, mayOnlyRead }) {
    if (role === null) return refused(401, 'not_authenticated');
    if (mayOnlyRead !== undefined && contract.peopleOnly) return refused(403, 'api_key_refused');
    if (mayOnlyRead && contract.method !== 'GET' && !contract.anyScope)
      return refused(403, 'insufficient_scope');
    if (!roleAllows(role, contract.role)) return refused(403, 'insufficient_role');
    const { feature } = contract;
    const has = feature === null || featuresOf(plan, overrides)[feature];
    return has ? 'passes' : refused(403, 'feature_unavailable');
  },
};

const nameOf = ({ method, path }: Contract) => `${method} ${path}`;

function expectAnswer(contract: Contract, reply: LightMyRequestResponse, expected: Expected, who: string) {
  const what = `${nameOf(contract)} as ${who}: ${reply.statusCode} ${reply.body.slice(0, 300)}`;
  assert.notEqual(reply.statusCode, 500, what);
  if (expected !== 'passes') {
    const { code, detail, feature } = reply.json<Record<string, unknown>>();
    assert.deepEqual({ status: reply.statusCode, code }, expected, what);
    if (code === 'feature_unavailable') assert.equal(feature, contract.feature, what);
    if (contract.feature !== null && code === 'feature_unavailable')
      assert.ok(String(detail).includes(contract.feature), what);
    return;
  }
  const isOwnRefusal = [401, 403].includes(reply.statusCode) && contract.errors.includes(reply.statusCode);
  assert.ok(isOwnRefusal || ![401, 403].includes(reply.statusCode), what);
}

const ANY_REST = '…/{path}';
/** The printed tree does not show where a wildcard begins, and has one row for several of one level, under all their names. */
const asServed = ({ method, path }: Contract): string =>
  `${method} ${path.endsWith('/{path}') ? ANY_REST : path.replaceAll(/\{\w+\}/g, '{}')}`;

/** Reads the server's printed tree of `├── /path (METHODS)`, four characters a level. */
function servedBy(app: FastifyInstance): string[] {
  const parents: string[] = [];
  const rows = app.printRoutes({ commonPrefix: false }).matchAll(/^(.*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?/gm);
  return [...rows].flatMap(([, indent = '', part = '', methods = '']) => {
    const depth = indent.length / 4;
    const path = `${parents[depth - 1] ?? ''}${part}`;
    parents[depth] = path;
    const shown = part === '*' ? ANY_REST : path.replaceAll(/:\w+(?:\|:\w+)*/g, '{}');
    // Preflights are answered everywhere, without a contract.
    const own = part === '*' ? ['', 'HEAD', 'OPTIONS'] : ['', 'HEAD'];
    const named = methods.split(', ').filter((method) => !own.includes(method));
    return named.map((method) => `${method} ${shown}`);
  });
}

/** Routes that end the caller's session come last. */
const inOrder = (contracts: readonly Contract[]): Contract[] =>
  contracts.toSorted((a, b) => Number(endsSession(a)) - Number(endsSession(b)));

/** Every route, asked by every kind of caller. */
export function testRoleMatrix({ app, contracts, callers, serviceToken, isOpen }: Matrix): void {
  test('the matrix has every route that the server answers', () => {
    assert.deepEqual(new Set(servedBy(app)), new Set(contracts.map(asServed)));
  });

  for (const contract of inOrder(contracts)) {
    test(`${nameOf(contract)}: each caller gets what the contract says`, async () => {
      for (const caller of callers) {
        const reply = await app.inject(sampleRequest(contract, caller.role === null ? {} : caller));
        expectAnswer(contract, reply, EXPECTED[contract.auth](contract, caller, isOpen), caller.who);
      }
    });
  }

  if (serviceToken !== null) {
    for (const contract of contracts.filter(({ auth }) => auth === 'service' || auth === 'bearer')) {
      test(`${nameOf(contract)}: other surfaces are let in where it says so, and nowhere else`, async () => {
        const reply = await app.inject(sampleRequest(contract, { token: serviceToken }));
        if (contract.auth === 'bearer') assert.equal(reply.statusCode, 401, reply.body);
        else expectAnswer(contract, reply, 'passes', 'another surface');
      });
    }
  }
}
