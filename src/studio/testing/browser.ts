import { mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';

/** A test, or `node:test` itself for all tests of a file. */
export interface Owner {
  after(end: () => Promise<void>): unknown;
}

/** A busy machine takes many times as long as a quiet one. */
const PATIENCE_MS = 60_000;

let browser: Promise<Browser> | undefined;

function providedBy(variable: 'CANONRY_TEST_BROWSER' | 'CANONRY_TEST_CHROMIUM'): string {
  const value = process.env[variable];
  if (value === undefined)
    throw new Error('No browser: run this file by `npm test -- <file>`, which starts one.');
  return value;
}

/** The one that `npm test` started for all files. */
function sharedBrowser(): Promise<Browser> {
  browser ??= chromium.connect(providedBy('CANONRY_TEST_BROWSER'));
  return browser;
}

const ends: (() => Promise<void>)[] = [];

/** Of what several tests use; in a test, `after` of `node:test` would be of that test alone. */
export const allTests: Owner = { after: (end) => ends.push(end) };

after(async () => {
  const faults: unknown[] = [];
  for (const end of ends.toReversed()) await end().catch((error) => faults.push(error));
  await (await browser)?.close();
  if (faults.length > 0) throw new AggregateError(faults, 'not everything ended well');
});

export interface ContextOptions extends BrowserContextOptions {
  /** A folder for a browser of its own, which finds there what an earlier one has stored. */
  profile?: string;
}

/** Cookies, storage and windows of its own; gone when the test ends. */
export async function openContext(
  t: Owner,
  { profile, ...options }: ContextOptions = {},
): Promise<BrowserContext> {
  const usual = { viewport: { width: 1280, height: 800 }, locale: 'en-GB', ...options };
  const context = await (profile === undefined
    ? (await sharedBrowser()).newContext(usual)
    : startBrowser(profile, usual));
  context.setDefaultTimeout(PATIENCE_MS);
  t.after(() => context.close());
  return context;
}

const startBrowser = (profile: string, options: BrowserContextOptions): Promise<BrowserContext> =>
  chromium.launchPersistentContext(profile, {
    ...options,
    executablePath: providedBy('CANONRY_TEST_CHROMIUM'),
    args: ['--disable-gpu', '--disable-backgrounding-occluded-windows'],
    chromiumSandbox: process.getuid?.() !== 0,
    env: {
      ...process.env,
      HOME: profile,
      XDG_CONFIG_HOME: profile,
      XDG_CACHE_HOME: profile,
      TMPDIR: profile,
    },
  });

/**
 * The folder goes when the test ends.
 * @param settings of the browser, as it keeps them itself
 */
export function createProfile(t: Owner, settings: object = {}): string {
  const profile = mkdtempSync(join(tmpdir(), 'studio-profile-'));
  mkdirSync(join(profile, 'Default'));
  writeFileSync(join(profile, 'Default/Preferences'), JSON.stringify(settings));
  t.after(async () => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }));
  return profile;
}

/** `kill -9` of the browser with this profile and of all its processes. */
export function killBrowser(profile: string): void {
  // The lock of a profile is a link to the name of the machine and the id of the process.
  const pid = /\d+$/.exec(readlinkSync(join(profile, 'SingletonLock')))?.[0];
  process.kill(-Number(pid), 'SIGKILL');
}
