import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { noAxeFaults } from '../../src/studio/testing/axe.ts';
import { until } from '../../test/support/until.ts';
import type { Panel } from '../kit/host.ts';
import { fakeCalls, fakeRecords } from '../kit/testing/fake-calls.ts';
import { type HostOptions, openPluginPage } from '../kit/testing/plugin-page.ts';

const FOLDER = new URL('.', import.meta.url);

const entity = (markdown_body: string) => ({
  entityType: 'character',
  entityId: 'mira',
  data: { name: 'Mira', fields: { want: 'A bell' }, markdown_body, updated_at: new Date().toISOString() },
});

async function open(t: TestContext, more: Partial<HostOptions> = {}) {
  const records = fakeRecords();
  const others = fakeCalls({
    'types.schema': () => ({ properties: { want: { type: 'string' } } }),
    'settings.get': () => ({ daily_goal: 500, words_per_minute: 230, my_daily_goal: null }),
    'settings.set_user': ({ values }) => values,
  });
  const call: Panel['call'] = (name, args) => (name.startsWith('data.') ? records.call : others)(name, args);
  const context = entity('One two three four.');
  const hosted = await openPluginPage(t, FOLDER, { html: 'panel.html', call, context, ...more });
  return { ...hosted, records };
}

test('words are counted, and what is added is kept for the day', async (t) => {
  const { frame, tell, records, page } = await open(t);
  await frame.getByText('Daily goal, all entries: 0 of 500 words').waitFor();
  assert.equal(await frame.locator('dd').first().textContent(), '6');
  await tell({ type: 'entity-updated', ...entity('One two three four five six.') });
  await frame.getByText('+2 words today').waitFor();
  await until(async () => records.all().length === 1);
  const [stored] = records.all();
  assert.deepEqual([stored?.data.start, stored?.data.words, stored?.entity_id], [6, 8, 'mira']);
  await frame.getByText('Goals').click();
  await frame.getByLabel('Words of this entry').fill('10');
  await frame.getByLabel('Words of this entry').press('Enter');
  await frame.getByText('Goal of this entry: 8 of 10 words').waitFor();
  assert.equal(records.all().length, 2);
  await noAxeFaults(page);
});

test('a goal that is being typed outlasts a save, and what is no goal gives way to the one that is kept', async (t) => {
  const { frame, tell, page } = await open(t);
  await frame.getByText('Goals').click();
  const goal = frame.getByLabel('Words of this entry');
  await goal.fill('10');
  await goal.press('Enter');
  await frame.getByText('Goal of this entry: 6 of 10 words').waitFor();
  await goal.press('End');
  await page.keyboard.type('0');
  await tell({ type: 'entity-updated', ...entity('One two three four five.') });
  await frame.getByText('+1 words today').waitFor();
  await page.keyboard.type('5');
  assert.equal(await goal.inputValue(), '1005');
  await goal.press('Enter');
  await frame.getByText('Goal of this entry: 7 of 1,005 words').waitFor();
  await goal.fill('-3');
  await goal.press('Enter');
  assert.equal(await goal.inputValue(), '1005');
});

test('German, in the dark, and an entry that is not saved yet', async (t) => {
  const context = { ...entity(''), entityId: null, language: 'de' };
  const { frame, page, records } = await open(t, { context, theme: 'dark' });
  await frame.getByText('Ziele und Tage werden behalten, sobald der Eintrag gespeichert ist.').waitFor();
  assert.equal(records.all().length, 0);
  await noAxeFaults(page);
});
