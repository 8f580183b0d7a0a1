import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Contract } from '../src/kit/contract.ts';
import { startAccounts } from './support/accounts.ts';
import { startAiSurface } from './support/ai-surface.ts';
import { startCore } from './support/core.ts';
import { NOBODY, startEdge } from './support/edge.ts';
import { startWorker } from './support/worker.ts';

interface Row {
  surface: string;
  method: string;
  path: string;
  auth: string;
  spec: string;
  state: string;
}

const linesOf = (path: string): string[] =>
  readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8')
    .trimEnd()
    .split('\n');

const [header, ...lines] = linesOf('../docs/endpoints.tsv');
const rows = lines.map((line): Row => {
  const [surface = '', method = '', path = '', auth = '', spec = '', state = ''] = line.split('\t');
  return { surface, method, path, auth, spec, state };
});
/** Routes with a contract: where the edge only forwards or refuses, its policy decides, which has a test of its own. */
const mountedOn = (surface: string) =>
  rows.filter(
    (row) =>
      row.surface === surface && row.state === 'mounted' && (surface !== 'edge' || row.auth === 'none'),
  );
const keyOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

const core = await startCore();
const desktop = await startCore({ surface: 'desktop' });
const surfaces = {
  core,
  /** Besides those of a core. */
  desktop: {
    contracts: desktop.contracts.filter(({ name }) => !core.contracts.some((each) => each.name === name)),
    close: desktop.close,
  },
  accounts: await startAccounts(),
  edge: await startEdge({ coreUrls: [NOBODY] }),
  worker: await startWorker(),
  ai: await startAiSurface(),
};
after(() => Promise.all(Object.values(surfaces).map((surface) => surface.close())));

test('the list is well formed: one row a route, each mounted or planned, our own ones mounted', () => {
  assert.equal(header, 'surface\tmethod\tpath\tauth\tspec\tstate');
  for (const line of lines) assert.equal(line.split('\t').length, 6, line);
  const keys = rows.map((row) => `${row.surface} ${keyOf(row)}`);
  assert.deepEqual(
    keys.filter((key, index) => keys.indexOf(key) !== index),
    [],
  );
  for (const row of rows) assert.match(row.state, /^(mounted|planned)$/, keyOf(row));
  for (const row of rows.filter(({ spec }) => spec === 'own')) assert.equal(row.state, 'mounted', keyOf(row));
});

/** Routes that accept more than the specification's access token: a refresh token alone signs out too. */
const TAKES_MORE: Record<string, Contract['auth']> = { 'POST /api/auth/logout': 'refresh' };
/** The specification's word for a webhook whose sender the handler recognizes by a secret. */
const WEBHOOK = 'webhook';

const authOf = ({ auth, role }: Contract): string => (auth === 'bearer' && role === 'admin' ? 'admin' : auth);

for (const [name, { contracts }] of Object.entries(surfaces)) {
  test(`the ${name} surface serves what the list calls mounted, and nothing else`, () => {
    assert.deepEqual(contracts.map(keyOf).sort(), mountedOn(name).map(keyOf).sort());
  });

  test(`each route of the ${name} surface asks for what the list says`, () => {
    const known = new Map(contracts.map((contract) => [keyOf(contract), contract]));
    for (const row of mountedOn(name)) {
      const contract = known.get(keyOf(row));
      const asks = contract && authOf(contract);
      const listed = TAKES_MORE[keyOf(row)] ?? (row.auth === WEBHOOK ? 'signature' : row.auth);
      const expected = listed === 'bearer' && asks === 'admin' ? 'admin' : listed;
      assert.equal(asks, expected, keyOf(row));
    }
  });
}

const specification = '../../shared/spec/routes.tsv';
if (existsSync(new URL(specification, import.meta.url))) {
  test('the list holds every row of the specification, in its order', () => {
    const own = lines
      .filter((line) => line.split('\t')[4] !== 'own')
      .map((line) => line.split('\t').slice(0, 5).join('\t'));
    assert.deepEqual([header?.split('\t').slice(0, 5).join('\t'), ...own], linesOf(specification));
  });
}
