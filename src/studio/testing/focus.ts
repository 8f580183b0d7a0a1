import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../../../test/support/until.ts';

const MOST_STOPS = 80;

/** Goes through a page by the keyboard, and sees to it that the page shows where the focus is at each stop. */
export function walkThrough(page: Page) {
  const stops: string[] = [];

  /** Presses a key, and gives the name of what has the focus then. */
  async function next(key: 'Tab' | 'Shift+Tab'): Promise<string> {
    await page.keyboard.press(key);
    const seen = async () => ({ fault: await faultOfFocus(page), key, after: stops.slice(-3) });
    await until(async () => (await faultOfFocus(page)) === null, seen);
    const snapshot = await page.locator(':focus').ariaSnapshot();
    const name = /"(.*?)"/.exec(snapshot)?.[1] ?? snapshot;
    stops.push(name);
    return name;
  }

  /** Goes on until something with this name has the focus. */
  async function to(key: 'Tab' | 'Shift+Tab', name: string | RegExp): Promise<void> {
    const isThere = (stop: string) => (typeof name === 'string' ? stop === name : name.test(stop));
    for (let left = MOST_STOPS; left > 0; left -= 1) if (isThere(await next(key))) return;
    assert.fail(`${name} is not among ${stops.slice(-MOST_STOPS).join(', ')}`);
  }

  return { next, to };
}

/** Null if somebody who looks at the page sees where the focus is. */
const faultOfFocus = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return 'nothing has the focus';
    // Some controls are hidden, and their label shows the focus.
    const shown = focused.closest('label') ?? focused;
    const around: Element[] = [...shown.querySelectorAll('*')];
    for (let each: Element | null = shown; each; each = each.parentElement) around.push(each);
    const hasRing = around.some((element) => {
      const style = getComputedStyle(element);
      // The thumb of a slider, whose own styles no script can read, takes this one.
      if (element === focused && style.getPropertyValue('--ring') !== '') return true;
      return style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2;
    });
    if (!hasRing) return `no ring: ${shown.outerHTML.slice(0, 200)}`;
    const { left, right, top, bottom } = shown.getBoundingClientRect();
    const inner = { top: Math.max(top, 0), bottom: Math.min(bottom, innerHeight) };
    if (inner.bottom - inner.top < Math.min(bottom - top, 24)) return `out of view, ${top} to ${bottom}`;
    const over = document.elementFromPoint((left + right) / 2, (inner.top + inner.bottom) / 2);
    return over && (shown.contains(over) || over.contains(shown))
      ? null
      : `covered by ${over?.outerHTML.slice(0, 200)}`;
  });
