import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../../test/support/until.ts';
import { noAxeFaults, openHarness } from '../../testing/harness.ts';

const open = (t: TestContext) => openHarness(t, import.meta.url, './merge-view.harness.tsx');

const becomes = (page: Page, text: string) =>
  until(
    async () => (await page.locator('output').textContent()) === JSON.stringify(text),
    () => page.locator('output').textContent(),
  );

test('it begins with what both changed, and takes the other text or both, place by place', async (t) => {
  const page = await open(t);
  await page.getByText('3 differences').waitFor();
  await noAxeFaults(page);
  await page.getByRole('textbox', { name: 'Yours' }).focus();
  await page.keyboard.press('Control+Home');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Take this' }).click();
  await becomes(page, 'One, mine.\r\nTwo.\r\nThree, by Bo.\r\nFour.\r\nFive, by Bo.\r\nGap.\r\nSix, mine.');
  await page.getByText('2 differences').waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Take both' }).click();
  await becomes(
    page,
    'One, mine.\r\nTwo.\r\nThree, by Bo.\r\nFour.\r\nFive, by Bo.\r\nGap.\r\nSix, mine.\r\nSix, by Bo.',
  );
});

test('it shows what was common too, and takes what is typed', async (t) => {
  const page = await open(t);
  await page.getByRole('button', { name: 'What was common' }).click();
  await page.getByRole('textbox', { name: 'What was common' }).waitFor();
  await page.getByText('4 differences').waitFor();
  await page.getByRole('textbox', { name: 'Yours' }).focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('!');
  await becomes(page, 'One, mine.\r\nTwo.\r\nThree, mine.\r\nFour.\r\nFive, by Bo.\r\nGap.\r\nSix, mine.!');
});
