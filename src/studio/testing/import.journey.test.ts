import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { notesVault } from '../../../test/support/notes-vault.ts';
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
  await page.getByText('Drop a folder or a zip here').waitFor();
  await noAxeFaults(page);
  await page.locator('input[type=file]').first().setInputFiles(folderWith(t, VAULT));
  const noteOf = (place: string) => page.getByRole('listitem').filter({ hasText: place }).first();
  const mira = noteOf('People/Mira 0.md');
  await mira.getByText('Character: Mira 0').waitFor();
  await mira.getByText('[[Lost Note 0]]').waitFor();
  await mira.getByText('mood is kept as it is').waitFor();
  await noteOf('Places/Old Coast/Harbour 1.md').getByText('Location: Harbour 1').waitFor();
  await noteOf('Loose/Thought.md').getByText('nothing says what type this is').waitFor();
  assert.deepEqual(filesOfWorld(studio.content), before, 'a preview writes nothing');
  await noAxeFaults(page);

  await page.getByRole('button', { name: /Notes that do not say their type become/ }).click();
  await page.getByRole('option', { name: 'Item' }).click();
  await noteOf('Loose/Thought.md').getByText('Item: Thought').waitFor();
  await page.getByRole('button', { name: 'Import 9 notes' }).click();
  await page.getByText('Imported 9 notes.').waitFor();
  const { 'Characters/mira_0/CH_mira_0.md': made = '', ...others } = filesOfWorld(studio.content);
  assert.match(made, /^mood: restless$/m);
  assert.ok('Items/thought/ITM_thought.md' in others, Object.keys(others).join('\n'));
  await mira.getByText('[[Lost Note 0]]').waitFor();
  await mira.getByText('mood is kept as it is').waitFor();
  assert.equal(await noteOf('Loose/Thought.md').count(), 0, 'it lost nothing');

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
