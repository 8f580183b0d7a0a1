import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { filesOfWorld } from './files.ts';
import { noAxeFaults, shareStudio } from './studio.ts';

const MIRA = 'Characters/mira_vale/CH_mira_vale.md';
const HERE = '/w/default/character/mira_vale';

const shared = shareStudio();

test('the history tells what changed, and an old version comes back byte for byte', async (t) => {
  const studio = await shared(t);
  const file = join(studio.content, MIRA);
  const before = readFileSync(file, 'utf8');
  const page = await studio.openAsOwner(`${HERE}?tab=history`);
  await page.getByText('The oldest version that is kept').waitFor();
  writeFileSync(
    file,
    before
      .replace(/^need: .*$/m, 'need: To let nobody else hold the rope.')
      .replace('She comes in out of the rain', 'She comes in out of the snow'),
  );
  const changed = page.getByRole('link', { name: 'What changed' });
  await until(async () => {
    await page.reload();
    await page.getByText('The oldest version that is kept').waitFor();
    return (await changed.count()) > 0;
  });
  await changed.click();
  await page.waitForURL('**/character/mira_vale?tab=history&v=1..2', { waitUntil: 'commit' });
  await page.locator('ins', { hasText: 'nobody' }).waitFor();
  await page.locator('del', { hasText: 'rain' }).waitFor();
  await page.locator('ins', { hasText: 'snow' }).waitFor();
  await noAxeFaults(page);

  await page.getByRole('button', { name: 'Bring back version 1' }).click();
  await noAxeFaults(page);
  await page.getByRole('button', { name: 'Bring back', exact: true }).click();
  await page.waitForURL('**/character/mira_vale?tab=history', { waitUntil: 'commit' });
  await until(() => readFileSync(file, 'utf8') === before);
  await page.getByText('Ada').first().waitFor();
  assert.equal(await page.getByRole('link', { name: 'What changed' }).count(), 2);
});

test('a new id is taken back with every file that followed, and what was typed since stays', async (t) => {
  const studio = await shared(t);
  const page = await studio.openAsOwner(HERE);
  const before = filesOfWorld(studio.content);
  await page.locator('header').getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Change the id …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the id' });
  await dialog.getByRole('textbox', { name: 'New id' }).fill('mira_of_the_bell');
  await dialog.getByText(/^\d+ other files change with it\.$/).waitFor();
  await noAxeFaults(page);
  await dialog.getByRole('button', { name: 'Change the id' }).click();
  await page.waitForURL('**/character/mira_of_the_bell', { waitUntil: 'commit' });
  const said = page.getByRole('region', { name: 'News' });
  await said.getByText('The id is now mira_of_the_bell.').waitFor();
  const renamed = filesOfWorld(studio.content);
  assert.ok(!(MIRA in renamed));
  const follower = 'Events/return_of_401/EVT_return_of_401.md';
  assert.match(renamed[follower] ?? '', /participants: \[.*mira_of_the_bell/);
  await noAxeFaults(page);

  await page.getByLabel('Want', { exact: true }).fill('To rest.');
  await said.getByRole('button', { name: 'Take back' }).click();
  await page.waitForURL('**/character/mira_vale', { waitUntil: 'commit' });
  await said.getByText('The id is as it was.').waitFor();
  await until(async () => (await page.getByLabel('Want', { exact: true }).inputValue()) === 'To rest.');
  const { [MIRA]: mira = '', ...others } = filesOfWorld(studio.content);
  const { [MIRA]: miraBefore = '', ...othersBefore } = before;
  assert.deepEqual(others, othersBefore);
  const inOrder = (text: string) => text.split('\n').filter((line) => !/^(want|last_updated):/.test(line));
  assert.deepEqual(inOrder(mira), inOrder(miraBefore));
  assert.match(mira, /^want: To rest\.$/m);
});
