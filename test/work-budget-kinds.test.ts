import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Contract, memoryOf } from '../src/kit/contract.ts';
import { startAccounts } from './support/accounts.ts';
import { picture } from './support/asset-files.ts';
import { startCore } from './support/core.ts';
import { type Answer, flood, isRefusal } from './support/flood.ts';
import { saveFile } from './support/save-file.ts';
import { signIn } from './support/service-client.ts';
import { startServiceProcess } from './support/service-process.ts';
import { beep, wav } from './support/sounds.ts';
import { zipOf } from './support/zip.ts';

const AT_ONCE = 50;
const WORK_MEMORY_MB = '128';

const folder = mkdtempSync(join(tmpdir(), 'canonry-'));
const content = join(folder, 'content');
mkdirSync(content);
const service = await startServiceProcess({ DATA_DIR: folder, CONTENT_DIR: content, WORK_MEMORY_MB });
const desktop = await startServiceProcess({ DATA_DIR: join(folder, 'desktop'), WORK_MEMORY_MB }, [
  '--surface',
  'desktop',
]);
after(async () => {
  await Promise.all([service.end('SIGTERM'), desktop.end('SIGTERM')]);
  rmSync(folder, { recursive: true });
});
const writer = await signIn(service, 'register');

const mira = { entity_id: 'mira', name: 'Mira' };
await writer.call('POST', '/api/entity/character', mira);
await writer.call('PUT', '/api/entity/character/mira', { markdown_body: 'Reads tides.' });

for (let index = 0; index < AT_ONCE; index += 1) {
  saveFile(join(content, `Assets/p${index}.png`), await picture(`rgb(${4 * index}, 90, 120)`, 900));
  saveFile(join(content, `Assets/s${index}.wav`), wav(1, beep(200 + index)));
}
await writer.call('POST', '/api/assets/scan', {});
interface Assets {
  assets: { id: string }[];
}
const idsOf = async (kind: string): Promise<string[]> => {
  const { assets } = await writer.call<Assets>('GET', `/api/assets?kind=${kind}&limit=${AT_ONCE}`);
  return assets.map(({ id }) => id);
};
const [pictures, sounds] = [await idsOf('image'), await idsOf('audio')];

interface Pushed {
  conflicts: { conflict_id: string }[];
}
/** A push based on an outdated version. */
const overtaken = (id: string, body: string) => ({
  client_timestamp: '2026-03-02T10:16:00.000Z',
  entities: [{ entity_type: 'character', entity_id: id, version: 2, markdown_body: body }],
});
async function conflictOver(id: string): Promise<string> {
  await writer.call('POST', '/api/entity/character', { entity_id: id, name: id, markdown_body: 'First.' });
  await writer.call('PUT', `/api/entity/character/${id}`, { markdown_body: 'Here.' });
  const push = overtaken(id, 'There.');
  const { conflicts } = await writer.call<Pushed>('POST', '/api/desktop/sync/push', push);
  return conflicts[0]?.conflict_id ?? '';
}

/** Large enough to be counted by its bytes. */
const text = 'A long story of the sea. '.repeat(12_000);
const lines = (side: string) =>
  Array.from({ length: 30_000 }, (_, index) => (index % 2 ? `line ${index}` : `${side} ${index}`)).join('\n');
const columns = Array.from({ length: 900 }, (_, index) => `c${index}`).join();
const wide = { path: 'p.csv', content: `name,${columns}\n${`P,${columns}\n`.repeat(300)}` };
const file = `---\nid: mira\nentity_type: character\nname: Mira\n---\n${text}`;
const merged = { resolution: 'merged', fields: {}, markdown_body: text };
const formOf = (name: string, bytes: Uint8Array, fields: Record<string, string> = {}): FormData => {
  const form = new FormData();
  form.append(name, new Blob([new Uint8Array(bytes)]), name);
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  return form;
};
const archive = formOf('archive', zipOf([{ name: 'Tam.md', content: text }]), { dry_run: 'true' });
const skill = formOf('file', zipOf([{ name: 'SKILL.md', content: `---\nname: long-tale\n---\n${text}` }]));
const hello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: { experimental: { note: { text } } },
    clientInfo: { name: 'flood', version: '1' },
  },
};
const avatar = formOf('avatar', await picture('rgb(1, 2, 3)', 900));
const since = '2026-03-01T00:00:00Z';
const typed = { entity_type: 'character' };

interface Kind {
  /** The contract's name. */
  name: string;
  at: string | ((index: number) => string);
  body?: object | ((index: number) => object);
  /** The core's writer unless only desktops have the route. */
  surface?: 'desktop';
  /** 200 by default. */
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
  { name: 'updateEntity', at: 'PUT /api/entity/character/mira', body: { markdown_body: text } },
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
  { name: 'getProposal', at: 'GET /api/ai/proposals/none', status: 404 },
  { name: 'acceptProposal', at: 'POST /api/ai/proposals/none/accept', status: 404 },
  { name: 'rejectProposal', at: 'POST /api/ai/proposals/none/reject', status: 404 },
  { name: 'undoProposal', at: 'POST /api/ai/proposals/none/undo', status: 404 },
  { name: 'getChangeSet', at: 'GET /api/ai/change-sets/none', status: 404 },
  { name: 'acceptChangeSet', at: 'POST /api/ai/change-sets/none/accept', status: 404 },
  { name: 'getProvenance', at: 'GET /api/entity/character/mira/provenance' },
  { name: 'getDisclosure', at: 'GET /api/ai/disclosure' },
  {
    name: 'renameEntity',
    at: 'POST /api/rename-entity',
    body: { ...typed, old_id: 'nobody', new_id: 'somebody' },
    status: 404,
    // Another look is in the way while it runs.
    or: 409,
  },
  {
    name: 'migrateTemplate',
    at: 'POST /api/templates/character/migration',
    body: { changes: [{ kind: 'remove', field: 'none' }], dry_run: true },
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
  {
    name: 'resolveConflict',
    at: `POST /api/conflicts/${await conflictOver('ada')}/resolve`,
    body: merged,
    or: 409,
  },
  {
    name: 'resolveDesktopConflict',
    at: `POST /api/desktop/sync/conflicts/${await conflictOver('bob')}/resolve`,
    body: merged,
    or: 409,
  },
  {
    name: 'resolveSyncConflict',
    at: 'POST /api/desktop/sync/conflicts/none/resolve',
    body: merged,
    surface: 'desktop',
    status: 404,
  },
  { name: 'pushToCloud', at: 'POST /api/desktop/sync/push', body: overtaken('mira', text) },
  { name: 'previewImport', at: 'POST /api/import/preview', body: { files: [wide], ...typed }, status: 413 },
  {
    name: 'smartImport',
    at: 'POST /api/import/smart',
    body: { files: [wide], ...typed, dry_run: true },
    status: 413,
  },
  { name: 'importArchive', at: 'POST /api/import/archive', body: archive },
  { name: 'postMcp', at: 'POST /api/mcp', body: hello },
  { name: 'importSkillFile', at: 'POST /api/skill-files/import', body: skill, status: 409, or: 201 },
  { name: 'importEntity', at: 'POST /api/entity/character/import', body: { content: file }, status: 409 },
  { name: 'listNames', at: 'GET /api/names' },
  { name: 'exportArchive', at: 'GET /api/export/archive' },
  { name: 'validateRules', at: 'POST /api/rules/validate/character', body: { entity_id: 'mira' } },
  { name: 'validateAll', at: 'POST /api/entity/validate/all', body: {} },
  {
    name: 'validateDraft',
    at: 'POST /api/validation/draft',
    body: { entity_type: 'character', entity_id: 'mira', markdown_body: lines('here') },
  },
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
  // No drive is set up.
  {
    name: 'exportEntityToDrive',
    at: 'POST /api/drive/export-entity',
    body: { name: 'Mira', content: text, folder_id: 'none' },
    status: 409,
  },
  { name: 'updateDriveFile', at: 'PUT /api/drive/files/none', body: { content: text }, status: 409 },
  { name: 'uploadAvatar', at: 'POST /api/users/me/avatar', body: avatar },
  { name: 'getThumbnail', at: (index) => `GET /api/assets/${pictures[index]}/thumbnail?size=128` },
  {
    name: 'makeThumbnails',
    at: 'POST /api/assets/thumbnail',
    body: (index) => ({ asset_id: pictures[index], sizes: [256, 512] }),
  },
  { name: 'getPreview', at: (index) => `GET /api/assets/${pictures[index]}/preview?size=512` },
  { name: 'getWaveform', at: (index) => `GET /api/assets/${sounds[index]}/waveform` },
];

const isForm = (body: object | undefined): body is FormData => body instanceof FormData;

async function send(kind: Kind, index: number): Promise<Answer> {
  const [method = '', path = ''] = (typeof kind.at === 'string' ? kind.at : kind.at(index)).split(' ');
  const body = typeof kind.body === 'function' ? kind.body(index) : kind.body;
  const { url } = kind.surface === 'desktop' ? desktop : service;
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(kind.surface !== 'desktop' && { authorization: `Bearer ${writer.token}` }),
      ...(body && !isForm(body) && { 'content-type': 'application/json' }),
    },
    ...(body && { body: isForm(body) ? body : JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return response;
}

for (const kind of KINDS) {
  test(`50 of ${kind.name} at once are answered or told to come again, and the service goes on`, async () => {
    const { answers } = await flood(kind.surface === 'desktop' ? desktop : service, (index) =>
      send(kind, index),
    );
    const { status = 200, or = status } = kind;
    for (const answer of answers)
      assert.ok([status, or].includes(answer.status) || isRefusal(answer), `it answered ${answer.status}`);
    assert.ok(answers.some((answer) => answer.status === status));
  });
}

/** True if a call may hold enough memory to be counted, at least with the largest body. */
const isCounted = (contract: Contract): boolean => memoryOf(contract, contract.bodyLimit) !== null;

test('each route that has a budget is sent fifty at once, and each of these has one', async () => {
  const surfaces = [await startCore({}), await startCore({ surface: 'desktop' }), await startAccounts()];
  try {
    const counted = surfaces.flatMap(({ contracts }) => contracts.filter(isCounted));
    const names = new Set(counted.map(({ name }) => name));
    assert.deepEqual(KINDS.map(({ name }) => name).sort(), [...names].sort());
  } finally {
    await Promise.all(surfaces.map((surface) => surface.close()));
  }
});
