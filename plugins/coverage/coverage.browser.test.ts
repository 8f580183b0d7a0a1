import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { noAxeFaults } from '../../src/studio/testing/axe.ts';
import { until } from '../../test/support/until.ts';
import type { Panel } from '../kit/host.ts';
import { fakeCalls, fakeRecords } from '../kit/testing/fake-calls.ts';
import { fakeEntity } from '../kit/testing/fake-entity.ts';
import { type HostOptions, openPluginPage } from '../kit/testing/plugin-page.ts';

const FOLDER = new URL('.', import.meta.url);
const TOTAL = 450;

const entity = (at: number) =>
  fakeEntity(`e${at}`, {
    name: `Entry ${at}`,
    fields: { want: at % 3 === 0 ? 7 : '' },
    markdown_body: 'word '.repeat(at),
  });

async function open(
  t: TestContext,
  more: Partial<HostOptions> = {},
  wait: () => Promise<void> = async () => undefined,
) {
  const records = fakeRecords();
  const others = fakeCalls({
    'types.list': () => ({
      entity_types: [{ entity_type: 'character', label: 'Character', folder_name: 'World/Characters' }],
    }),
    'types.schema': () => ({ required: ['want'], properties: { want: { type: 'string', title: 'Want' } } }),
    'settings.get': () => ({ words_per_minute: 230 }),
    'entities.list': async ({ limit = 50, offset = 0 }) => {
      await wait();
      const length = Math.min(limit, TOTAL - offset);
      return {
        entities: Array.from({ length }, (_, at) => entity(offset + at)),
        total: TOTAL,
        limit,
        offset,
      };
    },
  });
  const call: Panel['call'] = (name, args) => (name.startsWith('data.') ? records.call : others)(name, args);
  const room = { width: 1000, height: 800 };
  const hosted = await openPluginPage(t, FOLDER, { html: 'coverage.html', call, room, ...more });
  return { ...hosted, records, call };
}

test('all entries are read, the result is kept, and lists are paged', async (t) => {
  const { frame, page, records, said } = await open(t);
  await frame.getByText('Nothing has been counted yet').waitFor();
  await frame.getByRole('button', { name: 'Read all entries' }).click();
  await frame.getByText('As of').waitFor();
  await frame.getByRole('cell', { name: '450', exact: true }).first().waitFor();
  await frame.getByRole('cell', { name: '33%' }).first().waitFor();
  await until(() => records.all().length === 1);
  const first = frame.getByRole('region', { name: 'Longest entries' }).getByRole('link').first();
  assert.equal(await first.textContent(), 'Entry 449');
  await frame.getByRole('button', { name: 'Longest entries: next' }).click();
  assert.equal(await first.textContent(), 'Entry 429');
  await first.click();
  await until(() => said.some(({ type, entityId }) => type === 'navigate' && entityId === 'e429'));
  await noAxeFaults(page);
});

test('reading can be stopped, in German and in the dark', async (t) => {
  const go = Promise.withResolvers<void>();
  let pages = 0;
  const wait = async () => {
    pages += 1;
    if (pages === 2) await go.promise;
  };
  const { frame, page, records } = await open(t, { context: { language: 'de' }, theme: 'dark' }, wait);
  await frame.getByRole('button', { name: 'Alle Einträge lesen' }).click();
  await frame.getByText('Characters: 200 von 450').waitFor();
  await frame.getByRole('button', { name: 'Anhalten' }).click();
  go.resolve();
  await frame.getByText('Angehalten:').waitFor();
  assert.equal(records.all().length, 0);
  await noAxeFaults(page);
});
