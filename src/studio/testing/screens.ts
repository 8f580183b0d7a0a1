import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type AxePart, noAxeFaults } from './axe.ts';

/** A folder for pictures of all screens, for whoever wants to look at them. */
const PICTURES = process.env.CANONRY_SCREENS;
const LEAST_TARGET = 24;

/** Fails on the faults of a badly drawn screen that a program can detect. */
async function noVisibleFaults(page: Page): Promise<void> {
  const found = await page.evaluate((least) => {
    const nameOf = (element: Element) => {
      const text = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40);
      return `<${element.localName}> ${text}`;
    };
    const faults: string[] = [];
    const { scrollWidth, scrollHeight } = document.scrollingElement ?? document.body;
    // A phone shows all of a page that is too wide, so that the inner width grows with it.
    const { clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) faults.push(`it is ${scrollWidth} px wide in ${clientWidth}`);
    // Within the frame pages scroll: what reaches out of them would make the frame itself scroll away.
    if (document.getElementById('page') && scrollHeight > innerHeight)
      faults.push(`the frame is ${scrollHeight} px high in ${innerHeight}`);
    for (const target of document.querySelectorAll('button, input, select, textarea, [role="menuitem"]')) {
      const { width, height } = target.getBoundingClientRect();
      const isHidden = width <= 1 || height <= 1 || target.closest('[style*="clip"], [aria-hidden="true"]');
      // A hidden input is pressed by its label, one among tags by their box.
      const pressed =
        target.closest(target.localName === 'input' ? 'label, [role="group"]' : 'label') ?? target;
      const { width: wide, height: high } = pressed.getBoundingClientRect();
      if (!isHidden && (wide < least || high < least))
        faults.push(`a target of ${Math.round(wide)} × ${Math.round(high)} px: ${nameOf(target)}`);
    }
    const canScroll = (element: Element): boolean => {
      const { overflowX } = getComputedStyle(element);
      const { parentElement } = element;
      return /auto|scroll/.test(overflowX) || (parentElement !== null && canScroll(parentElement));
    };
    for (const part of document.querySelectorAll(
      'a, button, input, h1, [role="dialog"], [role="menuitem"]',
    )) {
      const { left, right, width } = part.getBoundingClientRect();
      if (width > 1 && left < clientWidth && right > clientWidth + 1 && !canScroll(part))
        faults.push(`it ends at ${Math.round(right)} px of ${clientWidth}: ${nameOf(part)}`);
    }
    const isScrolledAway = ({ parentElement: outer }: Element, y: number): boolean => {
      if (outer === null) return false;
      const { top, bottom } = outer.getBoundingClientRect();
      const isOutside = /auto|scroll/.test(getComputedStyle(outer).overflowY) && (y < top || y > bottom);
      return isOutside || isScrolledAway(outer, y);
    };
    // While something is open, what lies below it may be covered.
    const isOpen = document.querySelector(
      '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]',
    );
    for (const part of isOpen ? [] : document.querySelectorAll('a, button, h1, h2, h3')) {
      const { left, top, width, height } = part.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const seen = width > 1 && x < innerWidth && y < innerHeight ? document.elementFromPoint(x, y) : null;
      if (seen && !isScrolledAway(part, y) && !part.contains(seen) && !seen.contains(part))
        faults.push(`${nameOf(part)} is covered by ${nameOf(seen)}`);
    }
    let level = 0;
    const modal = document.querySelector('[role="dialog"], [role="alertdialog"]');
    for (const heading of (modal ?? document).querySelectorAll('main h1, h2, h3, h4')) {
      const next = Number(heading.localName.slice(1));
      if (level > 0 && next > level + 1) faults.push(`h${next} after h${level}: ${nameOf(heading)}`);
      level = next;
    }
    return faults;
  }, LEAST_TARGET);
  assert.equal(found.join('; '), '');
}

export interface Screen {
  name: string;
  path: string;
  /** Something that is there once all is drawn. */
  ready: string;
  /** Opens what the screen is about, such as a menu. */
  act?: (page: Page) => Promise<void>;
}

/** Opens a screen. */
export async function visit(page: Page, { path, ready, act }: Screen): Promise<void> {
  await page.goto(path);
  await page.locator(ready).first().waitFor();
  await act?.(page);
}

/**
 * Checks what the page shows now; takes its picture where somebody wants to look.
 * @param name of the picture
 */
export async function look(page: Page, name: string, axe: AxePart | null): Promise<void> {
  if (PICTURES !== undefined) {
    await page.waitForLoadState('networkidle');
    mkdirSync(PICTURES, { recursive: true });
    await page.screenshot({ path: join(PICTURES, `${name}.png`) });
  }
  try {
    await noVisibleFaults(page);
    if (axe !== null) await noAxeFaults(page, axe);
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}
