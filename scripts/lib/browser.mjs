import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { installPackage } from './packages.mjs';

const USUAL = '/usr/bin/chromium';
/** It needs a quarter less processor time, but keeps no profile. */
const WINDOWLESS = '/usr/bin/chromium-headless-shell';
const NEVER = new Promise(() => {});

/**
 * The address bar of each window would load 380 scripts in a process of its own, half of the processor time of a test.
 * The others are those of Playwright's list that reach for the network or keep an old picture: the last list counts.
 */
const UNUSED = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AimEnabled',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
];

/**
 * Fonts and text look the same on every machine, no tab waits because another one is in front, and a window uses the
 * process that it began with.
 */
const FLAGS = [
  `--disable-features=${UNUSED}`,
  '--renderer-process-limit=1',
  '--disable-gpu',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
  '--disable-backgrounding-occluded-windows',
];

/** @param {string} file path of a test file */
export const needsBrowser = (file) => /\.(?:browser|journey)\.test\.ts$/.test(file);

/**
 * Starts one Chromium for all test files that need it, if one of the given files does. Tests find the address to connect to in
 * `CANONRY_TEST_BROWSER`, and in `CANONRY_TEST_CHROMIUM` the program for a browser of their own.
 * @param {string[]} files the chosen test files
 * @returns {Promise<{missing: string[], lost: Promise<string>, stop: () => Promise<void>}>} as of `provideServers`
 */
export async function provideBrowser(files) {
  if (!files.some(needsBrowser)) return { missing: [], lost: NEVER, stop: async () => {} };
  const program = await findChromium();
  if (program) return startBrowser(program);
  const named = process.env.CANONRY_TEST_CHROMIUM ?? USUAL;
  const missing = `the tests of the web app: no Chromium at ${named} (CANONRY_TEST_CHROMIUM names one)`;
  return { missing: [missing], lost: NEVER, stop: async () => {} };
}

async function findChromium() {
  const named = process.env.CANONRY_TEST_CHROMIUM;
  if (named) return isProgram(named) ? named : undefined;
  return (await findPackaged(USUAL)) ? USUAL : undefined;
}

const findPackaged = async (program) =>
  isProgram(program) || ((await installPackage(basename(program))) && isProgram(program));

async function startBrowser(program) {
  const { chromium } = await import('playwright-core');
  const home = mkdtempSync(join(tmpdir(), 'canonry-chromium-'));
  const server = await chromium.launchServer({
    executablePath: program === USUAL && (await findPackaged(WINDOWLESS)) ? WINDOWLESS : program,
    args: FLAGS,
    // Chromium refuses to run its sandbox as root.
    chromiumSandbox: process.getuid?.() !== 0,
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, TMPDIR: home },
    handleSIGINT: false,
    handleSIGTERM: false,
  });
  process.env.CANONRY_TEST_CHROMIUM = program;
  process.env.CANONRY_TEST_BROWSER = server.wsEndpoint();
  const { promise: lost, resolve: lose } = Promise.withResolvers();
  let isStopping = false;
  server.on('close', (code, signal) => {
    if (!isStopping) lose(`Chromium is gone: it ended with ${signal ?? code}`);
  });
  const stop = async () => {
    isStopping = true;
    await server.close();
    rmSync(home, { recursive: true, force: true });
  };
  console.log('ok   started Chromium');
  return { missing: [], lost, stop };
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
