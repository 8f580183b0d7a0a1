import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { noAxeFaults } from '../../src/studio/testing/axe.ts';
import { until } from '../../test/support/until.ts';
import type { Graph } from '../kit/host.ts';
import { fakeCalls } from '../kit/testing/fake-calls.ts';
import { type HostOptions, openPluginPage } from '../kit/testing/plugin-page.ts';

const FOLDER = new URL('.', import.meta.url);
const context = { entityType: 'character', entityId: 'mira', data: { name: 'Mira' } };
const node = (entity_type: string, entity_id: string, name: string) => ({
  entity_type,
  entity_id,
  name,
  status: 'active',
  degree: 1,
});
const GRAPH: Graph = {
  nodes: [
    node('character', 'mira', 'Mira'),
    node('item', 'bell', 'The Bell'),
    node('location', 'quay', 'The Quay'),
  ],
  edges: [
    { from: 'character:mira', to: 'location:quay', field: 'birth_place', kind: 'field' },
    { from: 'item:bell', to: 'location:quay', field: 'markdown_body', kind: 'link' },
  ],
  truncated: true,
};

async function open(t: TestContext, more: Partial<HostOptions> = {}, graph = GRAPH) {
  const asked: unknown[] = [];
  const call = fakeCalls({
    'types.list': () => ({ entity_types: [{ entity_type: 'item', label: 'Item', folder_name: 'Items' }] }),
    'settings.get': () => ({ view: 'map' }),
    'settings.set_user': ({ values }) => values,
    'entities.graph'(args) {
      asked.push(args);
      return graph;
    },
  });
  const hosted = await openPluginPage(t, FOLDER, {
    html: 'map.html',
    call,
    context,
    room: { width: 900, height: 700 },
    ...more,
  });
  return { ...hosted, asked };
}

test('the map is walked by arrow keys, and Enter opens an entry', async (t) => {
  const { frame, page, said } = await open(t);
  await frame.getByRole('link', { name: /^Mira, / }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await until(() => said.some(({ type }) => type === 'navigate'));
  assert.deepEqual(
    said.filter(({ type }) => type === 'navigate'),
    [{ type: 'navigate', entityType: 'location', entityId: 'quay' }],
  );
  await frame.getByText('There is more: these are the 3 nearest entries.').waitFor();
  await noAxeFaults(page);
});

test('a save that changes no relation leaves the keyboard where it is', async (t) => {
  const { frame, page, tell, asked, said } = await open(t);
  await frame.getByRole('link', { name: /^Mira, / }).focus();
  await page.keyboard.press('ArrowRight');
  await tell({ type: 'entity-updated', ...context, data: { name: 'Mira', version: 2 } });
  await until(() => asked.length === 2);
  const nextPicture = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  await frame.evaluate(nextPicture);
  await page.keyboard.press('Enter');
  await until(() => said.some(({ type, entityId }) => type === 'navigate' && entityId === 'quay'));
});

test('types are hidden, with what was reached over them', async (t) => {
  const { frame } = await open(t);
  await frame.getByLabel('Location (1)').uncheck();
  await frame.getByText('All types are hidden.').waitFor();
  assert.equal(await frame.getByRole('link').count(), 1);
  await frame.getByLabel('Location (1)').check();
  await frame.getByLabel('Two steps').uncheck();
  assert.equal(await frame.getByRole('link').count(), 2);
});

test('the list says the same in words, in German and in the dark', async (t) => {
  const { frame, page } = await open(t, { context: { ...context, language: 'de' }, theme: 'dark' });
  await frame.getByRole('button', { name: 'Liste' }).click();
  await frame.getByText('The Bell → erwähnt → The Quay').first().waitFor();
  assert.equal(await frame.locator('#as-list').evaluate((one) => one === document.activeElement), true);
  await noAxeFaults(page);
});

test('an entry without relations says how it gets some', async (t) => {
  const { frame } = await open(t, {}, { nodes: GRAPH.nodes.slice(0, 1), edges: [], truncated: false });
  await frame.getByText('Nothing refers to this entry, and it refers to nothing').waitFor();
});
