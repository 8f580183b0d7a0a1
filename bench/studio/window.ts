import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core';
import { CREDENTIALS, type Service } from '../support/service.ts';

const PROGRAM = process.env.CANONRY_TEST_CHROMIUM ?? '/usr/bin/chromium';
/** The omnibox of each window would load hundreds of scripts while we measure. */
const UNUSED = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'AimEnabled'];

/** A phone's network: 1.6 Mbit/s and 150 ms. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };

export interface Window {
  page: Page;
  context: BrowserContext;
  session: CDPSession;
}

export const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: PROGRAM,
    args: ['--disable-gpu', `--disable-features=${UNUSED}`],
    chromiumSandbox: process.getuid?.() !== 0,
  });

/** A window with nothing stored, of the account that the service was started with, before its first page. */
export async function openWindow(browser: Browser, { url }: Service): Promise<Window> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } });
  const reply = await context.request.post('/api/auth/web/login', { data: CREDENTIALS });
  if (!reply.ok()) throw new Error(`signing in answered ${reply.status()}`);
  const page = await context.newPage();
  return { page, context, session: await context.newCDPSession(page) };
}

/** As on a phone of a few years ago, on its network. */
export async function slowDown({ session }: Window): Promise<void> {
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', SLOW_4G);
  await slowProcessor({ session }, 4);
}

export async function slowProcessor({ session }: Pick<Window, 'session'>, rate: number): Promise<void> {
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}

/** The MB that the page holds on to. */
export async function heapOf({ session }: Window): Promise<number> {
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1024 ** 2;
}
