import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { noAxeFaults, startStudio } from './studio.ts';

const MIRA = 'Characters/mira_vale/CH_mira_vale.md';
const ADDRESS = '/api/entity/character/mira_vale';

/** Two saves from one version that change the same field and the same line of the text. */
async function saveTwice(page: Page): Promise<void> {
  const { version, markdown_body } = await (await page.request.get(ADDRESS)).json();
  const save = (who: string, more: object) =>
    page.request.put(ADDRESS, {
      data: {
        base_version: version,
        fields: { need: `To hear ${who}.`, ...more },
        markdown_body: `${who} wrote the first line.\n${markdown_body}`,
      },
    });
  assert.equal((await save('them', { home: 'harrow_quay' })).status(), 200);
  assert.equal((await save('me', { flaw: 'A bell.' })).status(), 409);
}

test('a conflict is merged field by field and line by line, and what did not overlap stays', async (t) => {
  const studio = await startStudio(t);
  const page = await studio.openAsOwner('/w/default/-/conflicts');
  await page.getByText('Nothing is in conflict').waitFor();
  await saveTwice(page);
  await page.reload();
  await page.getByText(/Differs in .*Need/).waitFor();
  await noAxeFaults(page);
  await page.getByRole('link', { name: 'Mira Vale' }).click();

  const need = page.getByRole('group', { name: 'Need' });
  const keep = page.getByRole('button', { name: 'Keep this' });
  await need.getByText('To hear me.', { exact: true }).waitFor();
  assert.ok(await keep.isDisabled(), 'a choice is open');
  await need.getByRole('radio', { name: /In other words/ }).check();
  await page.getByLabel('How it is to be').fill('To hear both.');
  await page.getByRole('button', { name: 'Take both here' }).click();
  await noAxeFaults(page);
  await keep.click();
  await page.waitForURL('**/w/default/character/mira_vale');

  const file = readFileSync(join(studio.content, MIRA), 'utf8');
  assert.match(file, /^need: To hear both\.$/m);
  assert.match(file, /^home: harrow_quay$/m);
  assert.match(file, /^flaw: A bell\.$/m);
  assert.match(file, /^me wrote the first line\.\nthem wrote the first line\.$/m);
  await page.goto('/w/default/-/conflicts');
  await page.getByText('Nothing is in conflict').waitFor();
});
