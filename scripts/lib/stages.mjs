import { inRoot, root } from './paths.mjs';
import { run } from './processes.mjs';

const bin = (...parts) => inRoot('node_modules', ...parts);

/** In order; each is a Node script with its arguments. */
const STAGES = [
  ['types', bin('typescript/bin/tsc'), '-p', 'tsconfig.json'],
  ['browser types', bin('typescript/bin/tsc'), '-p', 'tsconfig.browser.json'],
  ['studio types', bin('typescript/bin/tsc'), '-p', 'tsconfig.studio.json'],
  ['plugin types', bin('typescript/bin/tsc'), '-p', 'tsconfig.plugins.json'],
  ['lint and format', bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings'],
  ['architecture', inRoot('scripts/check-source.mjs')],
  ['dead code', bin('knip/bin/knip.js'), '--no-progress'],
  ['build', inRoot('scripts/build.mjs')],
];

/** Stops at the first failure and shows its output. Returns true if all passed. */
export async function runStages() {
  for (const [name, ...command] of STAGES) {
    const started = performance.now();
    const { code, output } = await run(process.execPath, command, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    console.log(stageLine(name, code === 0, performance.now() - started));
    if (code === 0) continue;
    console.log(output.trimEnd());
    return false;
  }
  return true;
}

export function stageLine(name, passed, milliseconds) {
  return `${passed ? 'ok  ' : 'FAIL'} ${name} (${(milliseconds / 1000).toFixed(1)} s)`;
}
