import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../test/support/until.ts';
import { isKeptInBrowser } from './kept-in-browser.ts';
import { noAxeFaults, startStudio } from './studio.ts';

const MIRA = 'Characters/mira_vale/CH_mira_vale.md';
const OFFLINE = { expected: [/net::ERR_INTERNET_DISCONNECTED/] };

const saveLine = (page: Page, text: string) =>
  page.getByRole('status').getByText(text, { exact: true }).waitFor();
const countOf = (text: string, part: string): number => text.split(part).length - 1;

test('what was written without a network survives a reload, and arrives once', async (t) => {
  const studio = await startStudio(t);
  const file = join(studio.content, MIRA);
  const before = readdirSync(join(studio.content, 'Characters'));
  const page = await studio.openAsOwner('/w/default/character/mira_vale', OFFLINE);
  await page.addInitScript(() => {
    navigator.storage.persist = async () => {
      localStorage.setItem('asked to persist', 'yes');
      return true;
    };
  });
  const text = page.getByRole('textbox', { name: 'Text of Mira Vale' });
  const want = page.getByLabel('Want', { exact: true });
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.reload();
  await text.waitFor();
  await page.context().setOffline(true);

  await want.fill('To hear the bell without a network.');
  await text.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('She counts in the dark.');
  await saveLine(page, '1 kept here, offline');
  await page.getByText(/Not saved since .*: the network is away/).waitFor();
  await noAxeFaults(page);
  assert.equal(await page.evaluate(() => localStorage.getItem('asked to persist')), 'yes');

  await page.goto('/w/default/-/new/character');
  await page.waitForURL(/\/character\/new/, { waitUntil: 'commit' });
  await page.getByLabel('Name', { exact: true }).fill('Odo of the Dark');
  await page.getByLabel('Summary', { exact: true }).fill('He wants a lamp.');
  await saveLine(page, '2 kept here, offline');

  await page.reload();
  await until(
    async () => (await page.getByLabel('Name', { exact: true }).inputValue()) === 'Odo of the Dark',
  );
  assert.equal(await page.getByLabel('Summary', { exact: true }).inputValue(), 'He wants a lamp.');
  await page.getByRole('textbox', { name: 'Text of Odo of the Dark' }).click();
  await page.keyboard.type('He has no lamp.');
  await until(() => isKeptInBrowser(page, 'drafts', 'He has no lamp.'));

  await page.goto('/w/default/character/mira_vale');
  await text.getByText('She counts in the dark.').waitFor();
  assert.equal(await want.inputValue(), 'To hear the bell without a network.');
  await text.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' And on.');
  await until(() => isKeptInBrowser(page, 'drafts', ' And on.'));
  await saveLine(page, '2 kept here, offline');
  assert.equal(countOf(readFileSync(file, 'utf8'), 'in the dark'), 0);

  await page.context().setOffline(false);
  await saveLine(page, 'Saved');
  const mira = readFileSync(file, 'utf8');
  assert.equal(countOf(mira, 'She counts in the dark. And on.'), 1);
  assert.equal(countOf(mira, 'want: To hear the bell without a network.'), 1);
  const added = readdirSync(join(studio.content, 'Characters')).filter((name) => !before.includes(name));
  assert.deepEqual(added, ['odo_of_the_dark']);
  const odo = join(studio.content, 'Characters/odo_of_the_dark/CH_odo_of_the_dark.md');
  await until(() => existsSync(odo));
  assert.equal(countOf(readFileSync(odo, 'utf8'), 'He has no lamp.'), 1);
  assert.equal(countOf(readFileSync(odo, 'utf8'), 'summary: He wants a lamp.'), 1);
});
