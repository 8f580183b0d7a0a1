import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** Contrasts take half of the time, and are all that a theme changes. */
export type AxePart = 'all' | 'contrasts' | 'all but contrasts';

const CONTRAST = 'color-contrast';

const OPTIONS: Readonly<Record<AxePart, axe.RunOptions>> = {
  all: { runOnly: { type: 'tag', values: TAGS } },
  contrasts: { runOnly: { type: 'rule', values: [CONTRAST] } },
  'all but contrasts': {
    runOnly: { type: 'tag', values: TAGS },
    rules: { [CONTRAST]: { enabled: false } },
  },
};

/** By WCAG 2.2 AA, of what the page shows now. */
export async function noAxeFaults(page: Page, part: AxePart = 'all'): Promise<void> {
  await page.evaluate(SOURCE);
  const violations = await page.evaluate(async (options) => {
    // For seconds, React Aria's announcements name elements that may be gone by then.
    const found = await window.axe.run(
      { exclude: [['[data-live-announcer]']] },
      { ...options, resultTypes: ['violations'] },
    );
    // The arrow keys in the input above it scroll a menu that the cursor never enters.
    const isScrolledFromAbove = (id: string, html: string) =>
      id === 'scrollable-region-focusable' && /^<div[^>]* role="menu"/.test(html);
    const told = found.violations
      .map(({ nodes, ...rest }) => ({
        ...rest,
        nodes: nodes.filter(({ html }) => !isScrolledFromAbove(rest.id, html)),
      }))
      .filter(({ nodes }) => nodes.length > 0);
    return told.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map(({ html, failureSummary }) => `${html.slice(0, 300)}: ${failureSummary}`),
    }));
  }, OPTIONS[part]);
  assert.deepEqual(violations, [], 'the page has faults of accessibility');
}
