import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openHarness } from '../../testing/harness.ts';
import type {} from './editor.harness.tsx';

async function open(t: TestContext, text: string): Promise<Page> {
  const page = await openHarness(t, import.meta.url, './editor.harness.tsx');
  await page.evaluate((given) => window.harness.open(given), text);
  return page;
}

const textOf = (page: Page) => page.evaluate(() => window.harness.editor.text());

test('what the server merged comes in beside the edits made since, and undo leaves it', async (t) => {
  const page = await open(t, 'One.\r\n\r\nTwo.\r\n');
  await page.keyboard.press('End');
  await page.keyboard.type(' Mine.');
  const sent = await textOf(page);
  await page.keyboard.type(' More.');
  const heard = await page.evaluate(() => window.harness.heard.texts.length);
  await page.evaluate(
    (text) => window.harness.editor.applyRemote(`Zero.\r\n\r\n${text.replace('Two.', 'Two, by Bo.')}`, text),
    sent,
  );
  assert.equal(await textOf(page), 'Zero.\r\n\r\nOne. Mine. More.\r\n\r\nTwo, by Bo.\r\n');
  assert.equal(await page.evaluate(() => window.harness.heard.texts.length), heard);
  await page.keyboard.type(' Here.');
  assert.equal(await textOf(page), 'Zero.\r\n\r\nOne. Mine. More. Here.\r\n\r\nTwo, by Bo.\r\n');
  for (let times = 0; times < 5; times += 1) await page.keyboard.press('Control+z');
  assert.equal(await textOf(page), 'Zero.\r\n\r\nOne.\r\n\r\nTwo, by Bo.\r\n');
});

test('line ends that the server changed are taken over', async (t) => {
  const page = await open(t, 'One.\nTwo.\n');
  await page.evaluate(() => window.harness.editor.applyRemote('One.\r\nTwo.\r\n', 'One.\nTwo.\n'));
  assert.equal(await textOf(page), 'One.\r\nTwo.\r\n');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('Three.\n');
  assert.equal(await textOf(page), 'One.\r\nTwo.\r\nThree.\r\n');
});

test('another text has a history of its own', async (t) => {
  const page = await open(t, 'One.');
  await page.keyboard.type('Mine. ');
  await page.evaluate(() => window.harness.editor.setText('Other.'));
  await page.keyboard.press('Control+z');
  assert.equal(await textOf(page), 'Other.');
});
