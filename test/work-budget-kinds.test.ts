import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { memoryOf } from '../src/kit/contract.ts';
import { startCore } from './support/core.ts';
import { type Answer, flood, isRefusal } from './support/flood.ts';
import { signIn } from './support/service-client.ts';
import { startServiceProcess } from './support/service-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'canonry-'));
mkdirSync(join(folder, 'content'));
const service = await startServiceProcess({
  DATA_DIR: folder,
  CONTENT_DIR: join(folder, 'content'),
  WORK_MEMORY_MB: '128',
});
const writer = await signIn(service, 'register');
after(async () => {
  await service.end('SIGTERM');
  rmSync(folder, { recursive: true });
});

const mira = { entity_id: 'mira', name: 'Mira' };
await writer.call('POST', '/api/entity/character', mira);
await writer.call('PUT', '/api/entity/character/mira', { markdown_body: 'Reads tides.' });

/** Large enough to be counted by its bytes. */
const text = 'A long story of the sea. '.repeat(12_000);
const lines = (side: string) =>
  Array.from({ length: 30_000 }, (_, index) => (index % 2 ? `line ${index}` : `${side} ${index}`)).join('\n');
const columns = Array.from({ length: 900 }, (_, index) => `c${index}`).join();
const wide = { path: 'p.csv', content: `name,${columns}\n${`P,${columns}\n`.repeat(300)}` };
const file = `---\nid: mira\nentity_type: character\nname: Mira\n---\n${text}`;
const since = '2026-03-01T00:00:00Z';
const typed = { entity_type: 'character' };

interface Kind {
  /** Of the contract. */
  name: string;
  at: string;
  body?: object;
  /** Else 200. */
  status?: number;
  or?: number;
}

const KINDS: Kind[] = [
  {
    name: 'createEntity',
    at: 'POST /api/entity/character',
    body: { ...mira, markdown_body: text },
    status: 409,
  },
  { name: 'updateTemplate', at: 'PUT /api/templates/character', body: { markdown: text }, status: 422 },
  {
    name: 'updateRulesMarkdown',
    at: 'PUT /api/rules/character/markdown',
    body: { content: text },
    status: 422,
  },
  { name: 'diffRevision', at: 'GET /api/entity/character/mira/revisions/2/diff?against=1' },
  { name: 'listBrokenReferences', at: 'GET /api/references/broken' },
  { name: 'listUnusedEntities', at: 'GET /api/references/unused' },
  { name: 'getGraph', at: 'GET /api/graph' },
  { name: 'undoOperation', at: 'POST /api/operations/none/undo', status: 404 },
  {
    name: 'renameEntity',
    at: 'POST /api/rename-entity',
    body: { ...typed, old_id: 'nobody', new_id: 'somebody' },
    status: 404,
    // While another one looks, it is in the way.
    or: 409,
  },
  {
    name: 'compareEntity',
    at: 'POST /api/entity/character/compare',
    body: { from: { content: lines('here') }, to: { content: lines('there') } },
  },
  {
    name: 'smartMerge',
    at: 'POST /api/entity/character/smart-merge',
    body: {
      base: { content: lines('base') },
      local: { content: lines('here') },
      remote: { content: lines('there') },
    },
  },
  { name: 'previewImport', at: 'POST /api/import/preview', body: { files: [wide], ...typed }, status: 413 },
  {
    name: 'smartImport',
    at: 'POST /api/import/smart',
    body: { files: [wide], ...typed, dry_run: true },
    status: 413,
  },
  { name: 'importEntity', at: 'POST /api/entity/character/import', body: { content: file }, status: 409 },
  { name: 'validateRules', at: 'POST /api/rules/validate/character', body: { entity_id: 'mira' } },
  { name: 'validateAll', at: 'POST /api/entity/validate/all', body: {} },
  { name: 'fixValidation', at: 'POST /api/validation/fix', body: { ...typed, dry_run: true } },
  { name: 'checkCanon', at: 'POST /api/canon/check', body: {} },
  { name: 'getManifest', at: 'GET /api/manifest' },
  { name: 'refreshManifest', at: 'POST /api/manifest/refresh' },
  { name: 'diffManifest', at: `GET /api/manifest/diff?since=${since}` },
  { name: 'formatMarkdown', at: 'POST /api/markdown/format', body: { content: file } },
  {
    name: 'validateFrontmatter',
    at: 'POST /api/markdown/validate-frontmatter',
    body: { content: file, ...typed },
  },
  { name: 'listDuplicateAssets', at: 'GET /api/assets/duplicates' },
  { name: 'listMissingAssets', at: 'GET /api/assets/missing' },
  { name: 'pullFromCloud', at: `GET /api/desktop/sync/pull?since=${since}` },
];

async function send({ at, body }: Kind): Promise<Answer> {
  const [method = '', path = ''] = at.split(' ');
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${writer.token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return response;
}

for (const kind of KINDS) {
  test(`50 of ${kind.name} at once are answered or told to come again, and the service goes on`, async () => {
    const { answers } = await flood(service, () => send(kind));
    const { status = 200, or = status } = kind;
    for (const answer of answers)
      assert.ok([status, or].includes(answer.status) || isRefusal(answer), `it answered ${answer.status}`);
    assert.ok(answers.some((answer) => answer.status === status));
  });
}

test('each of these routes has a budget', async () => {
  const core = await startCore({});
  try {
    const counted = core.contracts.filter((contract) => memoryOf(contract, 16 * 1024 * 1024) !== null);
    const names = new Set(counted.map(({ name }) => name));
    assert.deepEqual(
      KINDS.map(({ name }) => name).filter((name) => !names.has(name)),
      [],
    );
  } finally {
    await core.close();
  }
});
