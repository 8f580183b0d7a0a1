import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { type Contract, hasBody, paramNames, takesFiles } from '../../src/kit/contract.ts';
import { sampleRequest } from './sample-request.ts';

/** An id that both tenants have, one that only the other has, and one that nobody has. */
export interface Kind {
  own: string | number;
  foreign: string | number;
  nowhere: string | number;
}

/** With `around`, the surrounding text. */
export interface Named {
  kind: string;
  around?: (value: string | number) => unknown;
}

export interface CrossTenant {
  contracts: readonly Contract[];
  inject(request: InjectOptions): Promise<LightMyRequestResponse>;
  /** Of the asking tenant. */
  token: string;
  otherTenant: string;
  kinds: Readonly<Record<string, Kind>>;
  /** `{key}` in a path. */
  namedBy(contract: Contract, key: string): Named | undefined;
  /** Keys that look like names but identify nothing of a tenant. */
  namesNothing: readonly string[];
  /** Bodies of routes whose example is not enough. */
  payloads?: Readonly<Record<string, string | Buffer>>;
  /** Occurs only in the other tenant's content. */
  marker: string;
  /** A hash of everything that the other tenant has. */
  otherState(): Promise<string>;
}

type Choice = 'own' | 'foreign' | 'nowhere';
const nameOf = ({ method, path }: Contract) => `${method} ${path}`;
const SOUNDS_LIKE_NAME = /(?:^|_)(?:ids?|paths?|types?|entity|around|versions?|rules|names?)$/;
/** Changing routes that share one look at everything. */
const LOOKED_AT_TOGETHER = 6;
const WRITES: Record<string, number> = { GET: 0, POST: 1, PATCH: 1, PUT: 1, DELETE: 2 };

/** Every route, asked by one tenant for its own ids, another's, and nobody's. */
export function testCrossTenant(setup: CrossTenant): void {
  const { contracts, inject, token, otherTenant, kinds, namedBy, namesNothing, marker } = setup;

  /** Fills in the choice wherever an example names a kind. */
  function fillerFor(contract: Contract, chosen: (kind: string) => Choice, seen: Set<string>) {
    return function filled(value: unknown, key: string): unknown {
      if (Array.isArray(value)) return value.map((item) => filled(item, key));
      if (value !== null && typeof value === 'object') {
        const entries = Object.entries(value);
        return Object.fromEntries(entries.map(([name, item]) => [name, filled(item, name)]));
      }
      const named = namedBy(contract, key);
      const kind = named && kinds[named.kind];
      if (!named || !kind) return value;
      seen.add(named.kind);
      const text = kind[chosen(named.kind)];
      return named.around ? named.around(text) : text;
    };
  }

  /** With ids of a choice, and the kinds that it names. */
  function requestFor(contract: Contract, chosen: (kind: string) => Choice, headers = {}) {
    const seen = new Set<string>();
    const { params, query, body } = contract.example;
    const filled = fillerFor(contract, chosen, seen);
    const fill = (part: unknown) => filled(part, '') as Record<string, unknown>;
    const inPath = Object.entries(params ?? {}).map(([name, value]) => [name, filled(value, `{${name}}`)]);
    // A change creates the project that it names, so that it then belongs to the asking tenant.
    if (contract.project && contract.method === 'GET') seen.add('project');
    const payload =
      setup.payloads?.[nameOf(contract)] ??
      (hasBody(contract) && !takesFiles(contract) ? JSON.stringify(fill(body ?? {})) : undefined);
    const project = contract.project && kinds.project?.[chosen('project')];
    const request = sampleRequest(contract, {
      token,
      params: Object.fromEntries(inPath),
      query: fill(query ?? {}),
      headers: { ...(project && { 'x-project-id': String(project) }), ...headers },
      ...(typeof payload === 'string' && { payload }),
    });
    return { request: payload instanceof Buffer ? { ...request, payload } : request, seen };
  }

  const own = (): Choice => 'own';
  const ask = async (contract: Contract, chosen: (kind: string) => Choice, headers = {}) => {
    const { request } = requestFor(contract, chosen, headers);
    const reply = await inject(request);
    expectNothingShown(contract, reply);
    return reply;
  };

  function expectNothingShown(contract: Contract, reply: LightMyRequestResponse): void {
    const what = `${nameOf(contract)} ${reply.statusCode} ${reply.body.slice(0, 400)}`;
    assert.notEqual(reply.statusCode, 500, what);
    assert.ok(!reply.body.includes(marker), `${what}: shows what is another tenant’s`);
  }

  /** Without ids, times and numbers. A change's reply is about what it has just created. */
  function textOf(contract: Contract, reply: LightMyRequestResponse, { foreign, nowhere }: Kind): string {
    if (contract.method !== 'GET' && reply.statusCode < 300) return '';
    let text = reply.body;
    for (const id of [foreign, nowhere]) if (typeof id === 'string') text = text.replaceAll(id, '<id>');
    return text
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,}/g, '<hex>')
      .replaceAll(/\d+/g, '#');
  }

  const shownKeys = ({ example }: Contract): string[] => {
    const keys: string[] = [];
    JSON.stringify([example.query, example.body], (key, value) => {
      if (typeof value !== 'object' || Array.isArray(value)) keys.push(key);
      return value;
    });
    return keys.filter((key) => SOUNDS_LIKE_NAME.test(key));
  };

  test('every name that a request may hold is tried with another tenant’s', () => {
    for (const contract of contracts) {
      const params = paramNames(contract.path).map((name) => `{${name}}`);
      for (const key of [...params, ...shownKeys(contract)])
        assert.ok(
          namedBy(contract, key) ||
            namesNothing.includes(key) ||
            namesNothing.includes(`${nameOf(contract)} ${key}`),
          `${nameOf(contract)}: say in the cross-tenant test what '${key}' names: a kind of thing that tenants have, or nothing`,
        );
    }
  });

  const answered = new Map<string, number>();
  let otherState = '';
  test('the other tenant has what nobody else may see', async () => {
    otherState = await setup.otherState();
  });
  const changing: string[] = [];
  /** A look at everything costs more than a route's requests, so some routes share one. */
  const expectUntouched = async () => {
    const since = changing.splice(0).join(', ');
    const message = `the other tenant’s rows or files have changed, by one of ${since}`;
    assert.ok((await setup.otherState()) === otherState, message);
  };

  /** For every kind of id that a route takes, another tenant's and nobody's get the same answers. */
  async function askForEach(contract: Contract): Promise<void> {
    const { seen } = requestFor(contract, own);
    for (const kind of seen) {
      const known = kinds[kind] as Kind;
      const only = (choice: Choice) => (each: string) => (each === kind ? choice : 'own');
      const foreign = await ask(contract, only('foreign'));
      const nowhere = await ask(contract, only('nowhere'));
      assert.deepEqual(
        [foreign.statusCode, textOf(contract, foreign, known)],
        [nowhere.statusCode, textOf(contract, nowhere, known)],
        `${kind} of another tenant`,
      );
    }
  }

  /** Header, query and body claim to be the other tenant: refused or ignored, it must open nothing. */
  async function askAsOther(contract: Contract): Promise<void> {
    const headers = { 'x-tenant-id': otherTenant, 'x-tenant': otherTenant };
    const reply = await ask(contract, own, headers);
    // What is not set up here, such as a cloud drive, could not do anything.
    if (!reply.body.includes('"not_configured"')) answered.set(nameOf(contract), reply.statusCode);
    const { request } = requestFor(contract, own, headers);
    const url = String(request.url);
    const claimed = `${url}${url.includes('?') ? '&' : '?'}tenant_id=${otherTenant}`;
    const hasJson = hasBody(contract) && !takesFiles(contract);
    const body = hasJson && { ...JSON.parse(String(request.payload ?? '{}')), tenant_id: otherTenant };
    expectNothingShown(contract, await inject({ ...request, url: claimed }));
    if (body) expectNothingShown(contract, await inject({ ...request, payload: JSON.stringify(body) }));
    if (contract.method !== 'GET') return;
    const plain = await ask(contract, own);
    const claims: Kind = { own: '', foreign: otherTenant, nowhere: '' };
    assert.deepEqual(
      [reply.statusCode, textOf(contract, reply, claims)],
      [plain.statusCode, textOf(contract, plain, claims)],
      'the headers claim another tenant',
    );
  }

  const inOrder = contracts.toSorted((a, b) => (WRITES[a.method] ?? 0) - (WRITES[b.method] ?? 0));
  for (const contract of inOrder) {
    test(`${nameOf(contract)}: another tenant’s is nobody’s`, async () => {
      await askForEach(contract);
      await askAsOther(contract);
      if (contract.method === 'GET') return;
      changing.push(nameOf(contract));
      if (changing.length >= LOOKED_AT_TOGETHER) await expectUntouched();
    });
  }
  test('the last changes and all reading left the other tenant as it was', expectUntouched);

  test('most routes did what they are for, so that their silence means something', () => {
    const refused = [...answered].filter(([, status]) => status >= 400);
    assert.ok(refused.length < answered.size / 4, JSON.stringify(refused));
  });
}
