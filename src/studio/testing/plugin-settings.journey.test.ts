import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { chooseFile, installSample, PLUGINS } from './install-sample.ts';
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
