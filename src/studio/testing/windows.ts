import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { type ContextOptions, type Owner, openContext } from './browser.ts';
import { assertNoFaults, collectFaults } from './faults.ts';

export interface Person {
  email: string;
  password: string;
}

export interface WindowOptions extends ContextOptions {
  /** Console errors, page errors and policy violations that the test causes on purpose. */
  expected?: readonly RegExp[];
}

interface Window {
  context: BrowserContext;
  faults: readonly string[];
  expected: readonly RegExp[];
}

/** Windows of the app at an address. They are closed when the owner ends, and must have had no faults. */
export function windowsOf(t: Owner, baseURL: string) {
  const windows: Window[] = [];
  t.after(async () => {
    for (const { context } of windows) await context.close();
    for (const { faults, expected } of windows) assertNoFaults(faults, expected);
  });

  async function openWindow(context: BrowserContext, path: string, expected: readonly RegExp[]) {
    const page = await context.newPage();
    windows.push({ context, faults: await collectFaults(page), expected });
    await page.goto(path);
    return page;
  }

  return {
    async open(path: string, { expected = [], ...options }: WindowOptions = {}): Promise<Page> {
      return openWindow(await openContext(t, { baseURL, ...options }), path, expected);
    },
    async openSignedIn(
      { email, password }: Person,
      path: string,
      { expected = [], ...options }: WindowOptions = {},
    ): Promise<Page> {
      const context = await openContext(t, { baseURL, ...options });
      const reply = await context.request.post('/api/auth/web/login', { data: { email, password } });
      assert.equal(reply.status(), 200, await reply.text());
      return openWindow(context, path, expected);
    },
  };
}
