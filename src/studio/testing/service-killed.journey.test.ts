import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../test/support/until.ts';
import { startStudio } from './studio.ts';

const MIRA = 'Characters/mira_vale/CH_mira_vale.md';
const ADDRESS = '/w/default/character/mira_vale';
/** Requests are answered by the test in the place of the service, which a worker would hide from it. */
const WINDOW = {
  serviceWorkers: 'block',
  expected: [/net::ERR_/, /WebSocket connection/, /status of 50\d/],
} as const;

const textOf = (page: Page) => page.getByRole('textbox', { name: 'Text of Mira Vale' });
const saveLine = (page: Page, text: string) =>
  page.getByRole('status').getByText(text, { exact: true }).waitFor();
const countOf = (text: string, part: string): number => text.split(part).length - 1;

async function typeAtEnd(page: Page, words: string): Promise<void> {
  await textOf(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(words);
}

test('the service dies while it saves: nothing is lost and nothing comes twice', async (t) => {
  const studio = await startStudio(t);
  const file = join(studio.content, MIRA);
  const page = await studio.openAsOwner(ADDRESS, WINDOW);
  await page.getByLabel('Want', { exact: true }).waitFor();
  // On a slow machine the page saves by itself before all of this is typed.
  await studio.killAtNextFile();
  await page.getByLabel('Want', { exact: true }).fill('To outlive the night.');
  await typeAtEnd(page, 'She counts the bells.');
  await page.keyboard.press('Control+s');
  await saveLine(page, '1 kept here, offline');
  await page.keyboard.type(' All of them.');

  await studio.startAgain();
  await saveLine(page, 'Saved');
  const text = readFileSync(file, 'utf8');
  assert.equal(countOf(text, 'She counts the bells. All of them.'), 1);
  assert.equal(countOf(text, 'She counts'), 1);
  assert.equal(countOf(text, 'To outlive the night.'), 1);
  assert.equal(await textOf(page).getByText('She counts the bells. All of them.').count(), 1);
});

for (const isLost of [true, false]) {
  test(`the service dies after it saved, and its answer is ${isLost ? 'lost' : 'still read'}`, async (t) => {
    const studio = await startStudio(t);
    const file = join(studio.content, MIRA);
    const page = await studio.openAsOwner(ADDRESS, WINDOW);
    await typeAtEnd(page, 'She counts the bells.');
    await page.route(
      '**/api/entity/**',
      async (route) => {
        const response = await route.fetch();
        await studio.kill();
        await (isLost ? route.abort() : route.fulfill({ response }));
      },
      { times: 1 },
    );
    await page.keyboard.press('Control+s');
    await saveLine(page, isLost ? '1 kept here, offline' : 'Saved');
    await page.keyboard.type(' All of them.');

    await studio.startAgain();
    await until(() => readFileSync(file, 'utf8').includes('All of them.'));
    await saveLine(page, 'Saved');
    const text = readFileSync(file, 'utf8');
    assert.equal(countOf(text, 'She counts'), 1);
    assert.equal(countOf(text, 'She counts the bells. All of them.'), 1);
  });
}

test('the service dies while it makes an entity: what is typed as the entity gets its address is kept', async (t) => {
  const studio = await startStudio(t);
  const page = await studio.openAsOwner('/w/default/-/new/character', {
    ...WINDOW,
    // The page asks what became of the entity that it could not hear of.
    expected: [...WINDOW.expected, /status of 40[49]/],
  });
  for (const round of [1, 2, 3]) {
    await page.goto('/w/default/-/new/character');
    await page.getByLabel('Name', { exact: true }).fill(`Odo ${round}`);
    const text = page.getByRole('textbox', { name: /^Text( of|$)/ });
    await text.click();
    await page.keyboard.type('He counts.');
    await studio.killAtNextFile();
    await page.keyboard.press('Control+s');
    await saveLine(page, '1 kept here, offline');
    await page.keyboard.type(' And counts.');

    await studio.startAgain();
    await page.waitForURL(`**/character/odo_${round}`, { waitUntil: 'commit' });
    await page.keyboard.type(' To nine.');
    await saveLine(page, 'Saved');
    const file = readFileSync(join(studio.content, `Characters/odo_${round}/CH_odo_${round}.md`), 'utf8');
    assert.equal(countOf(file, 'He counts. And counts. To nine.'), 1, file);
    assert.equal(countOf(file, 'counts'), 2);
    assert.equal(await text.getByText('He counts. And counts. To nine.').count(), 1);
  }
  const made = readdirSync(join(studio.content, 'Characters')).filter((name) => name.startsWith('odo'));
  assert.deepEqual(made, ['odo_1', 'odo_2', 'odo_3']);
});
