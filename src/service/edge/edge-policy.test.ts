import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { type FakeService, startEdge, startFake, tell } from '../../../test/support/edge.ts';
import { EDGE_POLICY, type EdgeAction } from './edge.policy.ts';

const rows = readFileSync(new URL('../../../docs/endpoints.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t'))
  .map(([surface = '', method = '', path = '', auth = '']) => ({ surface, method, path, auth }));
/** The edge's own routes have contracts; the remaining rows are the policy's. */
const OWN = new Set(['/health', '/livez', '/readyz']);
const edgeRows = rows.filter(({ surface, path }) => surface === 'edge' && !OWN.has(path));

const started = (name: string) =>
  startFake((request, response) => response.end(`${name} ${request.method} ${request.url}`));
const services: FakeService[] = [await started('accounts'), await started('core')];
const [accounts, core] = services as [FakeService, FakeService];
const edge = await startEdge({ accountsUrl: accounts.url, coreUrls: [core.url] });
after(async () => {
  await Promise.all(services.map((service) => service.close()));
  await edge.close();
});

const kindOf = (action: EdgeAction): string => ('to' in action ? 'forwarded' : String(action.status));
const kindOfRow = (auth: string): string =>
  ({ 'refused-501': '501', 'removed-404': '404' })[auth] ?? 'forwarded';
const sample = (path: string) => path.replaceAll(/\{[^}]+\}/g, 'some-id').replace(/\*$/, 'some/where');

describe('the policy of the edge', () => {
  test('is what the list of endpoints says, rule by rule', () => {
    const rules = EDGE_POLICY.map(({ method, path, action }) => `${method} ${path} ${kindOf(action)}`);
    const listed = edgeRows.map(({ method, path, auth }) => `${method} ${path} ${kindOfRow(auth)}`);
    assert.deepEqual(rules.sort(), listed.sort());
  });

  test('forwards what it calls forwarded, to the service of the rule', async () => {
    for (const { method, path, action } of EDGE_POLICY) {
      if (!('to' in action)) continue;
      const asked = { method: method === '*' ? 'PATCH' : method, url: sample(path) };
      const told = await tell(edge.url + asked.url, { method: asked.method });
      assert.equal(told.text, `${action.to} ${asked.method} ${asked.url}`);
    }
  });

  test('forwards to accounts only what accounts has', () => {
    const known = new Set(
      rows.filter(({ surface }) => surface === 'accounts').map(({ method, path }) => `${method} ${path}`),
    );
    const alone = EDGE_POLICY.filter(({ action }) => 'to' in action && action.to === 'accounts').filter(
      ({ method }) => method !== '*',
    );
    for (const { method, path } of alone) assert.ok(known.has(`${method} ${path}`), `${method} ${path}`);
  });

  test('names what it refuses and where that lives', async () => {
    const codes = new Set<unknown>();
    for (const { method, path, action } of EDGE_POLICY) {
      if ('to' in action) continue;
      const told = await tell(edge.url + sample(path), { method: method === '*' ? 'POST' : method });
      assert.equal(told.status, action.status, path);
      assert.match(String(told.body.detail), /\S/);
      if (action.status !== 501) continue;
      assert.match(String(told.body.detail), /(?:GET|POST|PATCH) \/api\//);
      assert.match(String(told.body.code), /^[a-z_]+_refused$/);
      codes.add(told.body.code);
    }
    assert.equal(codes.size, 5);
  });

  test('cannot be walked around by other ways to write an address', async () => {
    const refused = [
      ['GET', '/api/users/%63urrent'],
      ['GET', '/api/users/current/'],
      ['GET', '/api/users/current?x=1'],
      ['GET', '/api/users/current#x'],
      ['HEAD', '/api/users/current'],
      ['POST', '/%61pi/users/login'],
    ] as const;
    for (const [method, path] of refused)
      assert.equal((await tell(edge.url + path, { method })).status, 501, path);
    for (const path of ['/api/auth/../users/current', '/api/%2e%2e/internal/x', '/api/x/%zz'])
      assert.equal((await tell(edge.url + path)).status, 400, path);
    for (const path of ['/internal/access-changes', '//internal/x', '/metrics', '/api', '/readyz/x'])
      assert.equal((await tell(edge.url + path)).status, 404, path);
    for (const path of [`/api/files/${'x'.repeat(2000)}`, '/api/a%2F..%2Fb'])
      assert.equal((await tell(edge.url + path)).text, `core GET ${path}`);
  });

  test('gives a browser the page of a core where no rule fits, without the address', async () => {
    const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    for (const path of ['/nowhere?x=1', '/metrics', '/internal/access-changes'])
      assert.equal((await tell(edge.url + path, { headers: browser })).text, 'core GET /unknown', path);
    for (const [method, path, headers] of [
      ['GET', '/nowhere', {}],
      ['GET', '/nowhere', { ...browser, 'sec-fetch-dest': 'image' }],
      ['GET', '/api', browser],
      ['POST', '/nowhere', browser],
    ] as const) {
      const told = await tell(edge.url + path, { method, headers });
      assert.deepEqual([told.status, told.body.detail], [404, `There is nothing at ${method} ${path}`]);
    }
  });

  test('lets a preflight go where the request after it will', async () => {
    const preflight = async (path: string, method: string) =>
      tell(edge.url + path, {
        method: 'OPTIONS',
        headers: { origin: 'https://studio.example', 'access-control-request-method': method },
      });
    assert.match((await preflight('/api/users/1', 'PUT')).text, /^accounts OPTIONS/);
    assert.match((await preflight('/api/entity/character', 'POST')).text, /^core OPTIONS/);
    assert.equal((await preflight('/api/users/current', 'GET')).status, 501);
  });
});
