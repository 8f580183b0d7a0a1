import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { until } from '../../../test/support/until.ts';
import { noAxeFaults, startStudio } from './studio.ts';

const MIRA = 'Characters/mira_vale/CH_mira_vale.md';

/** The day of the last change follows each change. */
const isDay = (line: string): boolean => line.startsWith('last_updated:');

/** Lines of one text that the other does not have, in order. */
function changedLines(before: string, after: string): { removed: string[]; added: string[] } {
  const [old, now] = [before.split('\n'), after.split('\n')];
  return {
    removed: old.filter((line) => !now.includes(line) && !isDay(line)),
    added: now.filter((line) => !old.includes(line) && !isDay(line)),
  };
}

forEachDatabase((name, open) => {
  test(`an edit of fields and text changes their lines in the file and nothing else (${name})`, async (t) => {
    const database = await open();
    const studio = await startStudio(t, { DATABASE_URL: database.url });
    // After the service: one whose database is gone answers windows that are still open with faults.
    t.after(() => database.close());
    const file = join(studio.content, MIRA);
    const page = await studio.openAsOwner('/w/default/character/mira_vale');
    const before = readFileSync(file, 'utf8');

    const text = page.getByRole('textbox', { name: 'Text of Mira Vale' });
    await text.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('She counts the bells.');
    await page.getByLabel('Want', { exact: true }).fill('To hear the bell once more.');
    await page.keyboard.press('Control+s');
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();

    const { removed, added } = changedLines(before, readFileSync(file, 'utf8'));
    assert.equal(removed.length, 1, removed.join('\n'));
    assert.match(removed[0] ?? '', /^want:/);
    assert.deepEqual(added, ['want: To hear the bell once more.', 'She counts the bells.']);
    await noAxeFaults(page);
    // Without a provider nothing of AI is to be seen.
    assert.equal(await page.getByRole('heading', { name: 'AI' }).count(), 0);
  });
});

test('a file keeps the ends of its lines when it is edited', async (t) => {
  const studio = await startStudio(t);
  const file = join(studio.content, MIRA);
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('\n', '\r\n'));
  const page = await studio.openAsOwner('/w/default/character/mira_vale');
  await page.getByRole('textbox', { name: 'Text of Mira Vale' }).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('One line.\nAnother line.');
  await page.keyboard.press('Control+s');
  await until(() => readFileSync(file, 'utf8').includes('Another line.'));

  const text = readFileSync(file, 'utf8');
  assert.equal(text.replaceAll('\r\n', '').includes('\n'), false, 'every line ends as the file does');
});
