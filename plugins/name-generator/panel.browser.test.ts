import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { noAxeFaults } from '../../src/studio/testing/axe.ts';
import { until } from '../../test/support/until.ts';
import { fakeCalls } from '../kit/testing/fake-calls.ts';
import { type HostOptions, openPluginPage } from '../kit/testing/plugin-page.ts';

const CULTURES = [
  { id: 'elves', label: { en: 'Elves', de: 'Elben' }, names: 9 },
  { id: 'hills', label: { en: 'Hill clans', de: 'Bergstämme' }, names: 40 },
];
const CHARACTERS = { entity_type: 'character', label: 'Character', folder_name: 'Characters' };

async function open(t: TestContext, more: Partial<HostOptions> = {}) {
  const asked: string[] = [];
  const call = fakeCalls({
    custom({ path }) {
      asked.push(path);
      if (path === '/cultures') return { cultures: CULTURES };
      if (path.endsWith('culture=elves')) throw new Error('the plugin failed');
      return { names: ['Torwen', 'Harrach'], seed: 'x' };
    },
    'types.list': () => ({ entity_types: [CHARACTERS] }),
    'settings.get': () => ({ culture: 'hills' }),
    'settings.set_user': ({ values }) => values,
  });
  const context = { entityType: 'character', entityId: 'mira', data: { name: 'Mira', fields: {} } };
  const hosted = await openPluginPage(t, new URL('.', import.meta.url), {
    html: 'panel.html',
    call,
    context,
    ...more,
  });
  return { ...hosted, asked };
}

test('names are made as the culture sounds that was chosen last, and name the entry', async (t) => {
  const { frame, said, asked, page } = await open(t);
  await frame.getByRole('button', { name: 'Make names' }).click();
  await frame.getByText('2 names that nothing has yet').waitFor();
  assert.deepEqual(asked, ['/cultures', '/names?count=8&culture=hills']);
  await frame.getByRole('button', { name: 'Name this entry Torwen' }).click();
  await until(() => said.some(({ type }) => type === 'entity-modified'));
  assert.deepEqual(said.find(({ type }) => type === 'entity-modified')?.fields, { name: 'Torwen' });
  await frame.getByRole('button', { name: 'Copy Harrach' }).click();
  await until(() => said.some(({ message }) => message === 'Harrach is copied'));
  await frame.getByLabel('Sounds like').selectOption('type:character');
  await frame.getByRole('button', { name: 'Make names' }).press('Enter');
  await until(() => asked.at(-1) === '/names?count=8&culture=type%3Acharacter');
  await noAxeFaults(page);
});

test('German, in the dark, and what fails is said', async (t) => {
  const { frame, page } = await open(t, {
    theme: 'dark',
    context: { entityType: 'character', language: 'de' },
  });
  await frame.getByLabel('Klingt wie').selectOption('elves');
  await frame.getByRole('button', { name: 'Namen bilden' }).click();
  await frame.getByText('Es konnten keine Namen gebildet werden: the plugin failed').waitFor();
  await noAxeFaults(page);
});
