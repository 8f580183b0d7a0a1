import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { picture } from './support/asset-files.ts';
import { type Kind, type Named, testCrossTenant } from './support/cross-tenant.ts';
import { forEachDatabase } from './support/databases.ts';
import { PROPOSAL_ORIGIN } from './support/proposals.ts';
import { templateText } from './support/templates.ts';
import { startTwoTenants, type TwoTenants } from './support/two-tenants.ts';
import { until } from './support/until.ts';
import { zipOf } from './support/zip.ts';

/** Tenant ids, which are also their owners' tokens. */
const OTHER = 'there';
const ASKING = 'here';
/** Occurs in everything that the other tenant wrote. */
const MARKER = 'Thistledown';
/** Higher than any version of the same entity in the asking tenant. */
const VERSION_THERE = 12;

/** Kinds of ids in requests, by the key that holds them. */
const NAMES: Record<string, Named> = {
  '{tenant_id}': { kind: 'tenant' },
  '{type}': { kind: 'type' },
  '{name}': { kind: 'type' },
  entity_type: { kind: 'type' },
  types: { kind: 'type', around: (type) => `${type},location` },
  '{id}': { kind: 'entity' },
  entity_id: { kind: 'entity' },
  old_id: { kind: 'entity' },
  target_id: { kind: 'entity', around: (id) => `character:${id}` },
  '{brand_id}': { kind: 'entity' },
  asset_id: { kind: 'asset' },
  asset_ids: { kind: 'asset' },
  entity_ids: { kind: 'entity' },
  around: { kind: 'entity', around: (id) => `character:${id}` },
  entity: { kind: 'entity', around: (id) => `character/${id}` },
  paths: { kind: 'entity', around: (id) => `Characters/${id}` },
  '{path}': { kind: 'asset', around: pictureOf },
  '{version}': { kind: 'version' },
  version: { kind: 'version' },
  '{rule_id}': { kind: 'rule' },
  id: { kind: 'rule' },
  disabled_rules: { kind: 'rule', around: (id) => `character/${id}` },
  '{item_id}': { kind: 'item' },
  '{conflict_id}': { kind: 'conflict' },
  '{operation_id}': { kind: 'operation' },
  entity_types: { kind: 'type' },
  '{delivery_id}': { kind: 'delivery' },
  '{skill_id}': { kind: 'skill' },
  skill_id: { kind: 'skill' },
  '{provider}': { kind: 'provider' },
  '{run_id}': { kind: 'fill' },
};

/** `entity_type` and `entity_id` tie a record to an entity. */
const OF_PLUGINS: Record<string, Named> = {
  '{id}': { kind: 'plugin' },
  '{pluginId}': { kind: 'plugin' },
  '{record_id}': { kind: 'record' },
};

const OF_PROPOSALS: Record<string, Named> = { '{id}': { kind: 'proposal' } };
/** Ids in a drive, which are no tenant's. */
const OF_DRIVES = ['folder_id', 'folder_name', 'root_folder_id', 'root_folder_name', '{file_id}'];
const OF_CHANGE_SETS: Record<string, Named> = { '{id}': { kind: 'changeSet' } };
const OF_WEBHOOKS: Record<string, Named> = { '{id}': { kind: 'webhook' } };

/** Further names in routes about one asset. */
const OF_ASSETS: Record<string, Named> = {
  '{id}': { kind: 'asset' },
  id: { kind: 'asset' },
  path: { kind: 'asset', around: pictureOf },
  '{item_id}': { kind: 'deletedAsset' },
  '{run_id}': { kind: 'tagRun' },
};
const isAboutOneAsset = (path: string) =>
  /^\/api\/asset(?:s|-queue)(?:\/|$)/.test(path) && !path.includes('{type}');

/** The path of an asset by its id. */
function pictureOf(id: string | number): string {
  return `Characters/mira_vale/images/${id}.png`;
}

type Ask = (method: string, url: string, body?: object, project?: string) => Promise<Record<string, unknown>>;

/** As a tenant's owner; must succeed. */
const asking =
  ({ app }: TwoTenants, tenantId: string): Ask =>
  async (method, url, body, project = 'default') => {
    const reply = await app.inject({
      method: method as 'GET',
      url,
      headers: { authorization: `Bearer ${tenantId}`, 'x-project-id': project },
      ...(body && { payload: body }),
    });
    assert.ok(reply.statusCode < 300 || reply.statusCode === 409, `${method} ${url}: ${reply.body}`);
    return reply.json();
  };

const character = (id: string, text: string) => ({
  entity_id: id,
  name: `${text} ${id}`,
  fields: { occupation: text },
  markdown_body: `${text} knows [[mira_vale]], [[only_there]] and [[not_at_all]].`,
});

/** Nothing listens there. */
const provider = (text: string) => ({
  scope: 'tenant',
  kind: 'openai-compatible',
  base_url: 'http://127.0.0.1:9/v1',
  model: text,
});

const rule = (id: string, text: string) => ({
  id,
  category: 'validation',
  priority: 'medium',
  applies_to: 'height_cm',
  validation_type: 'range',
  min: 40,
  max: 250,
  description: text,
});

/** Content of both tenants, with the same ids and different words. Resolves to the ids that the service chose. */
async function writeShared(core: TwoTenants, tenantId: string, text: string) {
  const ask = asking(core, tenantId);
  for (const id of ['mira_vale', 'mira', 'old_name', 'gone'])
    await ask('POST', '/api/entity/character', character(id, text));
  for (const occupation of [`${text} first`, `${text} second`])
    await ask('PUT', '/api/entity/character/mira_vale', { fields: { occupation } });
  const overlapping = { base_version: 1, fields: { occupation: `${text} third` } };
  await ask('PUT', '/api/entity/character/mira_vale', overlapping);
  await ask('DELETE', '/api/entity/character/gone');
  await ask('POST', '/api/rules/character', rule('height_is_human', text));
  const names = { entity_type: 'character', old_id: 'old_name', new_id: 'new_name' };
  await ask('POST', '/api/rename-entity', names);
  for (const id of ['portrait', 'deleted_portrait']) await writeAsset(core, tenantId, id, text);
  await ask('DELETE', '/api/assets/deleted_portrait');
  await writeSkill(core, tenantId, 'tide_teller', text);
  // Disabled, so that the other tenant's later actions do not change it.
  const hook = { url: 'https://receiver.invalid/', description: text, enabled: false };
  const { webhook_id: webhook } = await ask('POST', '/api/webhooks', hook);
  await ask('PUT', '/api/ai/providers/shared', provider(text));
  const { delivery_id: delivery } = await ask('POST', `/api/webhooks/${webhook}/test`);
  const { run_id: tagRun } = await ask('POST', '/api/assets/auto-tag', {
    asset_ids: ['portrait'],
    ai: false,
  });
  const fill = await filled(ask);
  const record = await writePlugin(core, tenantId, 'shared', text);
  const first = async (url: string, list: string, id: string): Promise<string> => {
    const [item] = (await ask('GET', url))[list] as Record<string, string>[];
    assert.ok(item?.[id], `${url} has no ${id}`);
    return item[id];
  };
  return {
    ...(await writeProposals(core, tenantId, text)),
    webhook: String(webhook),
    fill,
    record,
    delivery: String(delivery),
    tagRun: String(tagRun),
    deletedAsset: await first('/api/assets/recycled', 'items', 'item_id'),
    item: await first('/api/recycle-bin', 'items', 'item_id'),
    conflict: await first('/api/conflicts', 'conflicts', 'conflict_id'),
    operation: await first('/api/operations/history', 'operations', 'operation_id'),
  };
}

/** A proposal by itself, and another one in a change set. */
async function writeProposals(core: TwoTenants, tenantId: string, text: string) {
  const { project, release } = await core.projects.borrow(tenantId, 'default', { beginning: 'starter' });
  const propose = (change_set_id: string | null, summary: string) =>
    core.proposals.create(project, tenantId, {
      entity_type: 'character',
      entity_id: 'mira',
      base_version: 1,
      fields: { summary },
      markdown_body: null,
      origin: PROPOSAL_ORIGIN,
      findings: [],
      change_set_id,
    });
  const { change_set_id } = await core.changeSets.open(project, tenantId, { title: text, agent: null });
  await propose(change_set_id, `${text} of a set`);
  const { proposal_id } = await propose(null, text);
  release();
  return { proposal: proposal_id, changeSet: change_set_id };
}

/** A run that is over without having asked: the field is not empty. */
async function filled(ask: Ask): Promise<string> {
  const body = { entity_type: 'character', entity_ids: ['mira'], fields: ['story_role'], max_credits: 0 };
  const { run_id: id } = await ask('POST', '/api/ai/fill', body);
  await until(async () => (await ask('GET', `/api/ai/fill/${id}`)).status === 'done');
  return String(id);
}

/** An entity's file and its entry. The bytes show whose it is. */
async function writeAsset(core: TwoTenants, tenantId: string, id: string, text: string): Promise<void> {
  const path = pictureOf(id);
  core.put(tenantId, path, Buffer.concat([await picture('red'), Buffer.from(`${text} ${id}`)]));
  await asking(core, tenantId)('POST', '/api/assets', { path, id, description: text, tags: [text] });
}

/** In the registry, installed, and as a file. */
async function writeSkill(core: TwoTenants, tenantId: string, id: string, text: string): Promise<void> {
  const ask = asking(core, tenantId);
  await ask('POST', '/api/agent-skills/registry', { skill_id: id, name: id, description: text });
  await ask('POST', '/api/agent-skills/tenant/install', { skill_id: id });
  core.put(tenantId, `_Skills/User/${id}.yml`, `skill_id: ${id}\nname: ${id}\ndescription: ${text}\n`);
}

/** With settings and a record, which has the words too. Resolves to the id of the record. */
async function writePlugin(core: TwoTenants, tenantId: string, id: string, text: string): Promise<string> {
  const ask = asking(core, tenantId);
  const settings = { global: [{ key: 'title', label: text, type: 'string', default: text }] };
  core.put(
    tenantId,
    `_Plugins/${id}/plugin.json`,
    JSON.stringify({ id, name: text, version: '1.0.0', capabilities: { settings } }),
  );
  await ask('POST', '/api/entity/sync/all');
  await ask('PUT', `/api/plugins/${id}/settings`, { title: `${text} title` });
  const { record_id: record } = await ask('POST', `/api/plugins/${id}/data/counts`, { text });
  return String(record);
}

/** Exists only in the other tenant: an entity, versions, a type, a rule, a skill and a project. */
async function writeOnlyThere(core: TwoTenants): Promise<void> {
  const ask = asking(core, OTHER);
  await writeAsset(core, OTHER, 'only_there_portrait', MARKER);
  await ask('POST', '/api/entity/character', character('only_there', MARKER));
  for (const occupation of ['fourth', 'fifth'])
    await ask('PUT', '/api/entity/character/mira_vale', {
      fields: { occupation: `${MARKER} ${occupation}` },
    });
  await ask('POST', '/api/rules/character', rule('kept_there', MARKER));
  await ask('PUT', '/api/ai/providers/only-there', provider(MARKER));
  core.put(OTHER, '_Templates/Custom/ZEPPELIN_TEMPLATE.md', templateText('entity_type: zeppelin', MARKER));
  await writeSkill(core, OTHER, 'told_there', MARKER);
  await writePlugin(core, OTHER, 'only-there', MARKER);
  await ask('POST', '/api/templates/reload');
  await ask('POST', '/api/entity/zeppelin', { ...character('mira_vale', MARKER), fields: {} });
  await ask('POST', '/api/entity/character', character('mira_vale', MARKER), 'world-there');
}

async function kindsOf(core: TwoTenants): Promise<Record<string, Kind>> {
  const foreign = await writeShared(core, OTHER, MARKER);
  await writeOnlyThere(core);
  const own = await writeShared(core, ASKING, 'Plain');
  const given = (name: keyof typeof own): Kind => ({
    own: own[name],
    foreign: foreign[name],
    nowhere: randomUUID(),
  });
  return {
    tenant: { own: ASKING, foreign: OTHER, nowhere: 'elsewhere' },
    project: { own: 'default', foreign: 'world-there', nowhere: 'world-nowhere' },
    type: { own: 'character', foreign: 'zeppelin', nowhere: 'zeppelon' },
    entity: { own: 'mira_vale', foreign: 'only_there', nowhere: 'not_at_all' },
    version: { own: 1, foreign: VERSION_THERE, nowhere: 99 },
    rule: { own: 'height_is_human', foreign: 'kept_there', nowhere: 'kept_nowhere' },
    asset: { own: 'portrait', foreign: 'only_there_portrait', nowhere: 'portrait_of_nobody' },
    deletedAsset: given('deletedAsset'),
    item: given('item'),
    conflict: given('conflict'),
    operation: given('operation'),
    webhook: given('webhook'),
    proposal: given('proposal'),
    changeSet: given('changeSet'),
    fill: given('fill'),
    plugin: { own: 'shared', foreign: 'only-there', nowhere: 'not-at-all' },
    record: given('record'),
    delivery: given('delivery'),
    tagRun: given('tagRun'),
    skill: { own: 'tide_teller', foreign: 'told_there', nowhere: 'told_nowhere' },
    provider: { own: 'shared', foreign: 'only-there', nowhere: 'not-at-all' },
  };
}

const NOTE = '---\nborn: "1187"\n---\nKnows [[Nobody]].\n';

forEachDatabase(async (_name, open) => {
  const core = await startTwoTenants(open);
  after(() => core.close());
  const kinds = await kindsOf(core);
  const events: string[] = [];
  core.bus.onAny((event, { tenantId }) => void events.push(`${tenantId} ${JSON.stringify(event)}`));
  testCrossTenant({
    contracts: core.contracts,
    inject: (request) => core.app.inject(request),
    token: ASKING,
    otherTenant: OTHER,
    kinds,
    namedBy: ({ path }, key) =>
      (isAboutOneAsset(path) && OF_ASSETS[key]) ||
      (path.startsWith('/api/webhooks/') && OF_WEBHOOKS[key]) ||
      (path.startsWith('/api/plugins/') && OF_PLUGINS[key]) ||
      (path.startsWith('/api/ai/proposals/') && OF_PROPOSALS[key]) ||
      (path.startsWith('/api/ai/change-sets/') && OF_CHANGE_SETS[key]) ||
      NAMES[key],
    // Free names and types, results derived from names alone, and what the program ships.
    namesNothing: [
      'name',
      'path',
      'new_id',
      'validation_type',
      'target_type',
      'relationship_type',
      'type',
      'finding_id',
      '{finding_id}',
      'pack_id',
      ...OF_DRIVES,
      '{panelId}',
      '{record_type}',
    ],
    payloads: { 'POST /api/import/archive': zipOf([{ name: 'Mira.md', content: NOTE }]) },
    marker: MARKER,
    otherState: () => core.stateOf(OTHER),
  });

  test('what the one who asked has changed is told to that tenant alone', async () => {
    await core.bus.idle();
    assert.ok(events.length > 10);
    for (const event of events) assert.ok(event.startsWith(`${ASKING} `) && !event.includes(MARKER), event);
  });
});
