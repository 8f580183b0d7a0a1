import type { Page } from 'playwright-core';
import { LOADING, WATCH_LOADING } from './page-scripts.ts';

/** Milliseconds since the page was asked for, if nothing else is said. */
export interface Loading {
  firstPaint: number;
  usable: number;
  largestPaint: number;
  /** How much of the window moved, from 0 to 1. */
  shift: number;
  /** The milliseconds above 50 of each long task. */
  blocked: number;
}

/** Once for a page; counts from its next navigation on. */
export async function watchLoading(page: Page): Promise<void> {
  await page.addInitScript(WATCH_LOADING);
}

/** @param ready is there once the user can work with the page */
export async function loadingOf(page: Page, path: string, ready: string): Promise<Loading> {
  await page.goto(path, { waitUntil: 'commit' });
  await page.locator(ready).first().waitFor();
  const usable: number = await page.evaluate('performance.now()');
  await page.waitForLoadState('networkidle');
  const rest: Omit<Loading, 'usable'> = await page.evaluate(LOADING);
  return { usable, ...rest };
}
