import type { Page } from 'playwright-core';
import { KEYS, WATCH_KEYS } from './page-scripts.ts';

const BETWEEN_MS = 60;

/** Types letters where the cursor is; resolves to the milliseconds from each key to its paint, in order of their size. */
export async function paintsOfKeys(page: Page, keys: number): Promise<number[]> {
  await page.evaluate(WATCH_KEYS);
  for (let key = 0; key < keys; key += 1) {
    await page.keyboard.press(key % 7 === 6 ? 'Space' : 'e');
    await page.waitForTimeout(BETWEEN_MS);
  }
  await page.waitForFunction(`${KEYS}.length >= ${keys}`);
  const paints: number[] = await page.evaluate(KEYS);
  return paints.toSorted((a, b) => a - b);
}

/** Of milliseconds in order of their size. */
export const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
