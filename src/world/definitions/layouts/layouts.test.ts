import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { startCore, type TestCore } from '../../../../test/support/core.ts';
import { until } from '../../../../test/support/until.ts';
import { WIDGETS } from '../../../content/template/index.ts';
import type { BusEvent } from '../../../platform/bus/bus.ts';

interface LayoutReply {
  is_saved: boolean;
  sections: { items: unknown[] }[];
  hidden: string[];
  unplaced: string[];
  problem: string | null;
  code: string;
  errors: { field: string; message: string }[];
}

let core: TestCore;
before(async () => {
  core = await startCore();
});
after(() => core.close());

const URL = '/api/layouts/character';
const fileOf = () => join(core.contentDir, '_Templates/Layouts/character.layout.json');
const LAYOUT = {
  sections: [
    {
      label: 'Who',
      items: [{ field: 'birth_year', widget: 'number', width: 'half' }, { block: 'markdown_body' }],
    },
  ],
  hidden: ['species'],
};
const save = (body: object, headers = {}) => core.call<LayoutReply>('PUT', URL, { body, headers });
interface SchemaReply {
  properties: Record<string, { 'x-widget': string }>;
  'x-form-layout'?: unknown;
}
const widgetOf = async (path: string, field: string) => {
  const { body } = await core.call<SchemaReply>('GET', path);
  return body.properties[field]?.['x-widget'];
};
const layoutOfSchema = async () =>
  (await core.call<SchemaReply>('GET', '/api/schemas/character')).body['x-form-layout'];

test('the registry knows every widget that the starter templates use', async () => {
  const { body } = await core.call<{ widgets: { id: string }[] }>('GET', '/api/widgets');
  assert.equal(body.widgets.length, WIDGETS.length);
  const known = new Set(body.widgets.map(({ id }) => id));
  const { body: all } = await core.call<{
    schemas: Record<string, { properties: Record<string, { 'x-widget': string }> }>;
  }>('GET', '/api/schemas');
  const used = Object.values(all.schemas).flatMap(({ properties }) => Object.values(properties));
  for (const { 'x-widget': widget } of used) assert.ok(known.has(widget), widget);
});

test('a layout is a file of the project, wins over the template, and goes again', async () => {
  const before = await core.call<LayoutReply>('GET', URL);
  assert.deepEqual([before.body.is_saved, before.body.unplaced], [false, []]);
  assert.equal(await widgetOf('/api/schemas/character', 'birth_year'), 'year');

  assert.equal(await layoutOfSchema(), undefined);
  const saved = await save(LAYOUT);
  assert.equal(saved.status, 200);
  assert.deepEqual(await layoutOfSchema(), LAYOUT);
  assert.deepEqual(JSON.parse(readFileSync(fileOf(), 'utf8')), LAYOUT);
  assert.ok(saved.body.unplaced.includes('appearance'));
  assert.equal(await widgetOf('/api/schemas/character', 'birth_year'), 'number');
  assert.equal(await widgetOf('/api/entity/character/schema', 'birth_year'), 'number');

  const stale = await save(LAYOUT, { 'if-match': '"sha256:other"' });
  assert.equal(stale.status, 412);
  const first = await save({ ...LAYOUT, hidden: [] }, { 'if-none-match': '*' });
  assert.deepEqual([first.status, first.body.code], [412, 'stale']);
  assert.deepEqual(await layoutOfSchema(), LAYOUT);
  const gone = await core.call<LayoutReply>('DELETE', URL);
  assert.deepEqual([gone.status, gone.body.is_saved], [200, false]);
  assert.equal((await core.call('DELETE', URL)).status, 404);
  assert.equal(await layoutOfSchema(), undefined);
  assert.equal(await widgetOf('/api/schemas/character', 'birth_year'), 'year');
});

test('of two first layouts at the same time one is saved', async () => {
  const layouts = [LAYOUT, { ...LAYOUT, hidden: [] }];
  const replies = await Promise.all(layouts.map((layout) => save(layout, { 'if-none-match': '*' })));
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412]);
  assert.deepEqual(await layoutOfSchema(), layouts[replies.findIndex(({ status }) => status === 200)]);
  assert.equal((await core.call('DELETE', URL)).status, 200);
});

test('a layout that is saved or goes is told, although no entity changes', async () => {
  for (const project of core.projects.opened()) await core.mirror.whenSettled(project);
  const told: BusEvent[] = [];
  const unsubscribe = core.bus.onAny((event) => void told.push(event));
  await save(LAYOUT);
  await until(() => told.length === 1);
  await save(LAYOUT);
  await core.call('DELETE', URL);
  await until(() => told.length === 2);
  unsubscribe();
  assert.deepEqual(
    told.map(({ type, entities_synced }) => [type, entities_synced]),
    [
      ['sync_completed', 0],
      ['sync_completed', 0],
    ],
  );
});

test('a layout that does not fit the type is refused with every place', async () => {
  const items = [
    { field: 'birth_yaer' },
    { field: 'appearance', widget: 'range' },
    { field: 'appearance' },
    { field: 'name_day', widget: 'plugin:calendar:day' },
    { block: 'weather' },
    { block: 'plugin:maps:around' },
  ];
  const { status, body } = await save({ sections: [{ label: 'Who', items }], hidden: [] });
  assert.equal(status, 422);
  assert.deepEqual(
    body.errors.map(({ field }) => field),
    [
      'sections.0.items.0.field',
      'sections.0.items.1.widget',
      'sections.0.items.2.field',
      'sections.0.items.3.field',
      'sections.0.items.4.block',
    ],
  );
  assert.equal((await core.call('PUT', '/api/layouts/starship', { body: LAYOUT })).status, 404);
});

test('a saved layout that cannot be read is told, and replaced only where the caller says so', async () => {
  mkdirSync(dirname(fileOf()), { recursive: true });
  writeFileSync(fileOf(), '{"sections": [}');
  const { body } = await core.call<LayoutReply>('GET', URL);
  assert.match(body.problem ?? '', /^_Templates\/Layouts\/character\.layout\.json: /);
  assert.deepEqual(body.hidden, []);
  assert.equal(await layoutOfSchema(), null);
  assert.equal(await widgetOf('/api/schemas/character', 'birth_year'), 'year');
  const refused = await save(LAYOUT);
  assert.deepEqual([refused.status, refused.body.code], [409, 'unreadable_file']);
  assert.equal(readFileSync(fileOf(), 'utf8'), '{"sections": [}');
  assert.equal((await save({ ...LAYOUT, overwrite: true })).status, 200);
});
