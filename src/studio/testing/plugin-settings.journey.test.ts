import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../test/support/until.ts';
import { chooseFile, installSample, PLUGINS } from './install-sample.ts';
import { samplePluginZip } from './plugin-sample.ts';
import { noAxeFaults, startStudio } from './studio.ts';

test('a refused archive says why; settings are checked and secrets stay hidden; a list says what is allowed', async (t) => {
  const studio = await startStudio(t);
  const page = await installSample(studio, { expected: [/status of 4(?:00|22)/] });
  await chooseFile(page, 'broken.zip', Buffer.from('hello'));
  const alert = page.getByRole('alert');
  await alert.getByText('broken.zip was not installed, and nothing was changed.').waitFor();
  await alert.getByText(/neither a \.zip nor a \.tar\.gz/).waitFor();
  await noAxeFaults(page);

  await page.getByRole('link', { name: 'Sample' }).click();
  const world = page.getByRole('region', { name: 'Settings for everybody' });
  await world.getByRole('textbox', { name: 'Words a day' }).fill('many');
  await world.getByRole('button', { name: 'Save' }).click();
  await world.getByRole('alert').waitFor();
  await world.getByRole('textbox', { name: 'Words a day' }).fill('750');
  await world.getByRole('textbox', { name: 'Key' }).fill('sesame');
  await world.getByRole('button', { name: 'Save' }).click();
  await world.getByText('A value is set. Type to replace it.').waitFor();
  await page.reload();
  await until(async () => (await world.getByRole('textbox', { name: 'Words a day' }).inputValue()) === '750');
  assert.equal(await world.getByRole('textbox', { name: 'Key' }).inputValue(), '');
  await world.getByRole('button', { name: 'Words a day: use the default' }).click();
  await world.getByRole('button', { name: 'Key: remove the value' }).click();
  await world.getByRole('button', { name: 'Save' }).click();
  await world.getByText('No value is set.').waitFor();
  assert.equal(await world.getByRole('textbox', { name: 'Words a day' }).inputValue(), '500');

  await page.goto(PLUGINS);
  await page.getByLabel('Only these').press('Space');
  await page
    .getByRole('button', { name: 'Remove sample' })
    .or(page.getByRole('row', { name: 'sample' }).getByRole('button'))
    .click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('It is not on the list of allowed plugins.').waitFor();
  await noAxeFaults(page);
});

/** Holds what is put there until it is released. */
async function holdPut(page: Page, address: string) {
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(address, async (route) => {
    if (route.request().method() === 'PUT') {
      asked.resolve();
      await held.promise;
    }
    await route.continue();
  });
  return { asked: asked.promise, release: held.resolve };
}

const SETTINGS = [
  { key: 'title', label: 'Title', type: 'string' },
  { key: 'note', label: 'Note', type: 'string' },
  { key: 'shape', label: 'Shape', type: 'object' },
];

test('what is typed while settings are saved stays, and an object is saved only as a whole', async (t) => {
  const studio = await startStudio(t);
  const page = await studio.openAsOwner(PLUGINS, { serviceWorkers: 'block' });
  const capabilities = { settings: { global: SETTINGS, user: [] } };
  const zip = samplePluginZip({ permissions: [], capabilities });
  await page.getByRole('heading', { name: 'No plugin is installed' }).waitFor();
  await chooseFile(page, 'sample.zip', zip);
  await page.getByRole('link', { name: 'Sample' }).click();
  const world = page.getByRole('region', { name: 'Settings for everybody' });
  const [title, note, shape] = ['Title', 'Note', 'Shape'].map((name) => world.getByRole('textbox', { name }));
  assert.ok(title && note && shape);
  const save = world.getByRole('button', { name: 'Save' });

  const settings = await holdPut(page, '**/api/plugins/sample/settings*');
  await title.fill('One');
  await note.fill('Sent');
  await save.click();
  await settings.asked;
  await title.fill('Two');
  settings.release();
  await page.getByText('The settings are saved.').waitFor();
  assert.deepEqual([await title.inputValue(), await note.inputValue()], ['Two', 'Sent']);
  await world.getByRole('button', { name: 'Cancel' }).click();
  assert.deepEqual([await title.inputValue(), await note.inputValue()], ['One', 'Sent']);

  await shape.fill('{"sides": ');
  await title.fill('Three');
  assert.ok(await save.isDisabled());
  await title.press('Enter');
  await world.getByRole('button', { name: 'Cancel' }).click();
  assert.deepEqual([await title.inputValue(), await shape.inputValue()], ['One', '']);
  await shape.fill('{"sides": 3}');
  await save.click();
  await world.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' });
  await page.reload();
  await until(async () => (await shape.inputValue()) === '{\n  "sides": 3\n}');

  await page.goto(PLUGINS);
  const policy = await holdPut(page, '**/api/plugins/policy*');
  await page.getByLabel('Only these').press('Space');
  await page.getByRole('button', { name: 'Save' }).click();
  await policy.asked;
  await page.getByLabel('Any plugin that an admin installs').press('Space');
  policy.release();
  await page.getByText('The list of allowed plugins is saved.').waitFor();
  assert.ok(await page.getByLabel('Any plugin that an admin installs').isChecked());
});
