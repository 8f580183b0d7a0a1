import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openHarness } from '../../testing/harness.ts';

/** Of the rows in the page, in their order. */
const boxesOf = (page: Page) =>
  page.locator('[data-index]').evaluateAll((rows) =>
    rows
      .map((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return { index: Number((row as HTMLElement).dataset.index), top, bottom };
      })
      .sort((one, other) => one.index - other.index),
  );

test('of 2,000 rows of any height only those in view are in the page, one under the other', async (t) => {
  const page = await openHarness(t, import.meta.url, './window.harness.tsx');
  await page.getByText('Row 0', { exact: true }).waitFor();
  await page.getByTestId('box').evaluate((box) => box.scrollTo(0, 3_000));
  await page.getByText('Row 0', { exact: true }).waitFor({ state: 'detached' });
  const boxes = await boxesOf(page);
  assert.ok(boxes.length > 3 && boxes.length < 40, `${boxes.length} rows`);
  for (const [index, { top }] of boxes.entries())
    if (index > 0)
      assert.ok(Math.abs(top - (boxes[index - 1]?.bottom ?? 0)) < 1, `a gap before row ${index}`);
});

test('the last of them is reached', async (t) => {
  const page = await openHarness(t, import.meta.url, './window.harness.tsx');
  await page.getByRole('button', { name: 'To the end' }).click();
  await page.getByText('Row 1999', { exact: true }).waitFor();
});
