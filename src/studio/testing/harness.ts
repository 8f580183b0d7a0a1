import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { allTests, openContext } from './browser.ts';
import { bundlePage, type PageFiles } from './bundle.ts';
import { assertNoFaults, collectFaults } from './faults.ts';
import { type PageServer, servePage } from './page-server.ts';

export { noAxeFaults } from './axe.ts';

export interface HarnessOptions extends BrowserContextOptions {
  /** Patterns of console errors, page errors and policy violations that the test causes on purpose. */
  expected?: readonly RegExp[];
  /** Properties that `window` has before the page loads. */
  globals?: Record<string, unknown>;
}

interface Harness {
  page: Page;
  server: PageServer;
  faults: readonly string[];
}

const bundles = new Map<string, Promise<PageFiles>>();
const harnesses = new Map<string, Promise<Harness>>();

/**
 * Opens a page that runs an entry file (`*.harness.tsx`) in `<main id="root">`, under the web app's own content
 * security policy. Errors and policy violations fail the test at its end. Tests that ask for the same window have the same
 * one, since a new one takes longer than most of them: each begins with a page that has just loaded.
 * @param from `import.meta.url` of the test
 * @param entry relative to it
 */
export async function openHarness(
  t: TestContext,
  from: string,
  entry: string,
  { expected = [], globals = {}, ...options }: HarnessOptions = {},
): Promise<Page> {
  const path = fileURLToPath(new URL(entry, from));
  const key = JSON.stringify([path, options]);
  const harness = harnesses.get(key) ?? startHarness(path, options);
  harnesses.set(key, harness);
  const { page, server, faults } = await harness;
  const before = faults.length;
  t.after(async () => {
    await page.goto('about:blank');
    await page.mouse.up();
    await page.mouse.move(0, 0);
    assertNoFaults(faults.slice(before), expected);
  });
  server.give(globals);
  await page.goto('/');
  return page;
}

async function startHarness(path: string, options: BrowserContextOptions): Promise<Harness> {
  const bundle = bundles.get(path) ?? bundlePage(path);
  bundles.set(path, bundle);
  const server = await servePage(await bundle);
  allTests.after(server.close);
  const context = await openContext(allTests, { baseURL: server.url, ...options });
  const page = await context.newPage();
  return { page, server, faults: await collectFaults(page) };
}
