/**
 * Follows the Dockerfile without Docker: runs each stage in an empty folder with this machine's Node and npm, then starts
 * the result. It shows that the image has all that the program needs from us, not that the base image has the rest.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readDockerfile } from '../test/support/dockerfile.ts';
import { inRoot } from './lib/paths.mjs';
import { run } from './lib/processes.mjs';

const folder = mkdtempSync(join(tmpdir(), 'canonry-image-'));
const stages = readDockerfile(readFileSync(inRoot('Dockerfile'), 'utf8'));
const rootOf = (name) => join(folder, name);

try {
  for (const stage of stages) await make(stage);
  await start(stages.at(-1));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function make({ name, makes }) {
  for (const step of makes) {
    if (step.copy) copy(rootOf(name), step.copy);
    else await runStep(name, step.run);
  }
  console.log(`ok   stage ${name}`);
}

function copy(root, { from, sources, target }) {
  for (const source of sources) {
    const path = from === undefined ? inRoot(source) : join(rootOf(from), source);
    const isFolder = sources.length > 1 || target.endsWith('/');
    const to = join(root, 'app', isFolder ? join(target, source) : target);
    mkdirSync(dirname(to), { recursive: true });
    cpSync(path, to, { recursive: true });
  }
}

/** The root belongs to the container: its folders and their owner are created below the stage's folder. */
async function runStep(name, command) {
  const root = rootOf(name);
  const here = command.replace(/ -o node -g node/, '').replaceAll(' /', ` ${root}/`);
  const cwd = join(root, 'app');
  mkdirSync(cwd, { recursive: true });
  const { code, output } = await run('sh', ['-c', here], { cwd, stdio: 'pipe' });
  if (code !== 0) throw new Error(`${name}: ${command} ended with ${code}\n${output}`);
}

async function start({ name, variables, command }) {
  const root = rootOf(name);
  const placed = Object.entries(variables).map(([key, value]) => [
    key,
    value.startsWith('/') ? join(root, value) : value,
  ]);
  const [program, ...args] = command;
  const service = spawn(program, args, {
    cwd: join(root, 'app'),
    env: {
      PATH: process.env.PATH,
      ...Object.fromEntries(placed),
      BIND_ADDR: '127.0.0.1:0',
      DATABASE_URL: `sqlite:${join(root, 'data/canonry.db')}`,
      JWT_SECRET: 'only for this check, and not a secret',
      ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(service, 'exit');
  const [line] = await Promise.race([once(service.stdout.setEncoding('utf8'), 'data'), exit]);
  const url = /listening on (http:\S+)/.exec(line)?.[1];
  if (!url) throw new Error(`the service did not start: ${line}`);
  const { status } = await fetch(`${url}/health`);
  service.kill('SIGTERM');
  const [code] = await exit;
  if (status !== 200 || code !== 0) throw new Error(`/health answered ${status}, the exit code was ${code}`);
  console.log('ok   serves, and stops on SIGTERM');
}
