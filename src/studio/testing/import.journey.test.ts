import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { notesVault } from '../../../test/support/notes-vault.ts';
import { until } from '../../../test/support/until.ts';
import { filesOfWorld } from './files.ts';
import { noAxeFaults, shareStudio } from './studio.ts';

const IMPORT = '/w/default/-/import';

/** A folder of notes as another program keeps them. */
function folderWith(t: TestContext, files: Readonly<Record<string, string | Buffer>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'vault-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
  return folder;
}

/** A vault of an Obsidian user, with a note that does not say what it is. */
const VAULT = Object.fromEntries([
  ...notesVault(8).map(({ path, content, encoding }) => [path, Buffer.from(content, encoding)] as const),
  ['Loose/Thought.md', 'Something about tides.\n'],
  ['.obsidian/app.json', '{}'],
]);

const shared = shareStudio();

test('a vault is previewed note by note, imported with its losses named, and taken back to the last byte', async (t) => {
  const studio = await shared(t);
  const before = filesOfWorld(studio.content);
  const page = await studio.openAsOwner(IMPORT);
  await page.setViewportSize({ width: 1280, height: 2_400 });
  await page.getByText('Drop a folder or a zip here').waitFor();
  await noAxeFaults(page);
  await page.locator('input[type=file]').first().setInputFiles(folderWith(t, VAULT));
  const noteOf = (place: string) => page.getByRole('article').filter({ hasText: place }).first();
  const mira = noteOf('Mira 0.md');
  const typeAt = (place: string) => page.getByRole('button', { name: new RegExp(`Type of ${place}$`) });
  const choose = async (place: string, type: string) => {
    await typeAt(place).click();
    await page.getByRole('option', { name: type, exact: true }).click();
  };
  await mira.getByText('Mira 0', { exact: true }).waitFor();
  await mira.getByText('Character').first().waitFor();
  await mira.getByText('[[Lost Note 0]]').waitFor();
  await mira.getByText('mood is kept as it is').waitFor();
  await noteOf('Harbour 1.md').getByText('Location').first().waitFor();
  await noteOf('Thought.md').getByText('It does not say what it is.').waitFor();
  assert.deepEqual(filesOfWorld(studio.content), before, 'a preview writes nothing');
  await noAxeFaults(page);

  await page.getByRole('button', { name: 'Import 8 notes' }).waitFor();
  await choose('Loose/Thought.md', 'Item');
  await noteOf('Thought.md').getByText('Thought', { exact: true }).waitFor();
  await choose('Places/Old Coast', 'Faction');
  await noteOf('Harbour 1.md').getByText('Faction').first().waitFor();
  await page.getByRole('button', { name: 'Import 9 notes' }).waitFor();
  await choose('Places/Old Coast/Mill 5.md', 'Leave out');
  await noteOf('Mill 5.md').getByText('Left out').waitFor();
  await choose('Places/Old Coast', 'As each note says');
  await noteOf('Harbour 1.md').getByText('Location').first().waitFor();
  assert.deepEqual(filesOfWorld(studio.content), before, 'nor does a choice');
  await page.getByRole('button', { name: 'Import 8 notes' }).click();
  await page.getByText('Imported 8 notes.').waitFor();
  const { 'Characters/mira_0/CH_mira_0.md': made = '', ...others } = filesOfWorld(studio.content);
  assert.match(made, /^mood: restless$/m);
  assert.ok('Items/thought/ITM_thought.md' in others, Object.keys(others).join('\n'));
  await mira.getByText('[[Lost Note 0]]').waitFor();
  await mira.getByText('mood is kept as it is').waitFor();
  assert.equal(await noteOf('Thought.md').count(), 0, 'it lost nothing');
  assert.ok('Locations/harbour_1/LOC_harbour_1.md' in others, Object.keys(others).join('\n'));
  assert.deepEqual(
    Object.keys(others).filter((path) => path.includes('mill_5')),
    [],
    'what was left out',
  );

  await page.getByRole('button', { name: 'Undo the import' }).click();
  await page.getByText('The import was taken back.').waitFor();
  assert.deepEqual(filesOfWorld(studio.content), before);
});

test('what holds nothing is said before anything is sent, and viewers cannot import', async (t) => {
  const studio = await shared(t);
  const page = await studio.openAsOwner(IMPORT);
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(folderWith(t, { '.obsidian/app.json': '{}' }));
  await page.getByText('There is nothing to import in it.').waitFor();

  const bo = { email: 'bo@example.com', password: 'another long phrase', display_name: 'Bo' };
  const viewer = await studio.openAs(bo, 'viewer', IMPORT);
  await viewer.getByText('Only editors can import.').waitFor();
  assert.equal(await viewer.locator('input[type=file]').count(), 0);
});

test('of thousands of notes only those in view are in the page, and a choice keeps its place', async (t) => {
  const studio = await shared(t);
  const page = await studio.openAsOwner(IMPORT);
  const vault = Object.fromEntries(
    notesVault(3_000).map(({ path, content, encoding }) => [path, Buffer.from(content, encoding)] as const),
  );
  await page.locator('input[type=file]').first().setInputFiles(folderWith(t, vault));
  await page.getByRole('button', { name: 'Import 3,000 notes' }).waitFor();
  const last = page.getByRole('article').filter({ hasText: 'Tower 2989.md' });
  await page.locator('main').hover();
  await until(async () => {
    await page.mouse.wheel(0, 100_000);
    return (await last.count()) === 1;
  });
  assert.ok((await page.getByRole('article').count()) < 80);
  const choice = last.getByRole('button', { name: /Type of/ });
  const top = async () => (await choice.boundingBox())?.y ?? Number.NaN;
  await choice.focus();
  const before = await top();
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: 'Leave out' }).click();
  await page.getByRole('button', { name: 'Import 2,999 notes' }).waitFor({ state: 'attached' });
  assert.ok(Math.abs((await top()) - before) < 100, `${before} ${await top()}`);
  await last.getByText('Left out').waitFor();
});

test('a preview or an import that fails says so where the user is, and can be tried again', async (t) => {
  const studio = await shared(t);
  const page = await studio.openAsOwner(IMPORT, { serviceWorkers: 'block', expected: [/status of 503/] });
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(folderWith(t, { 'Thought.md': 'Something about tides.\n', 'People/Bo.md': '' }));
  const start = page.getByRole('button', { name: /^Import \d/ });
  await page.getByRole('button', { name: 'Import 1 note', exact: true }).waitFor();
  const failOnce = () =>
    page.route(
      '**/api/import/archive',
      (route) => route.fulfill({ status: 503, json: { detail: 'The disk is full.' } }),
      { times: 1 },
    );
  await failOnce();
  await page.getByRole('button', { name: /Type of Thought\.md$/ }).click();
  await page.getByRole('option', { name: 'Item', exact: true }).click();
  await page.getByRole('alert').getByText('The disk is full.').waitFor();
  assert.ok(await start.isDisabled(), 'what was chosen last has not been seen');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Import 2 notes' }).waitFor();
  assert.equal(await page.getByText('The disk is full.').count(), 0);

  await failOnce();
  await start.click();
  await page.getByRole('alert').getByText('The disk is full.').waitFor();
  await start.click();
  await page.getByText('Imported 2 notes.').waitFor();
});
