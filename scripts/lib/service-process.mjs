import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './paths.mjs';
import { membersOf, signalGroup } from './process-group.mjs';

const START_MS = 120_000;
const END_MS = 20_000;

/**
 * Starts `npm start` on a free port and waits until it serves requests.
 * @param {string} dataDir folder for the service's state
 */
export async function startService(dataDir) {
  const env = { ...process.env, DATA_DIR: dataDir, BIND_ADDR: '127.0.0.1:0' };
  for (const name of ['CONTENT_DIR', 'DATABASE_URL', 'REDIS_URL', 'DEPLOYMENT', 'PORT']) delete env[name];
  const started = performance.now();
  // A process group of its own shows afterwards if anything was left behind.
  const npm = spawn('npm', ['start'], { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const log = collect(npm);
  const ended = new Promise((resolve) => {
    npm.once('exit', (exitCode) => resolve(exitCode));
  });
  const killAll = () => signalGroup(npm.pid, 'SIGKILL');
  const fail = (reason) => {
    killAll();
    throw new Error(`${reason}\n${log.text.trim()}`);
  };

  await until(() => /listening on http:\/\/\S+/.test(log.text) || npm.exitCode !== null, START_MS);
  const url =
    /listening on (http:\/\/[^\s/]+)/.exec(log.text)?.[1] ??
    fail('npm start printed no "listening on http://…"');
  const health = await fetch(`${url}/health`).catch((error) => fail(`GET /health: ${error.message}`));
  if (health.status !== 200) fail(`GET /health answered ${health.status}`);

  return {
    url,
    npmPid: npm.pid,
    readyMs: Math.round(performance.now() - started),
    /** From its pid file. */
    pid: () =>
      Number(/^\d+/.exec(readFileSync(join(dataDir, 'canonry.pid'), 'utf8'))?.[0]) ||
      fail('canonry.pid names no process'),
    /** If the action fails, the service is stopped and its output shown. */
    during: (action) => action().catch((error) => fail(error.message)),
    /** Checks npm's exit code and that the whole group is gone. */
    async end({ pid, signal, exitCode }) {
      process.kill(pid, signal);
      const code = await Promise.race([ended, sleep(END_MS, 'none', { ref: false })]);
      if (code !== exitCode) fail(`${signal}: npm start ended with exit code ${code} instead of ${exitCode}`);
      const gone = await until(() => membersOf(npm.pid).length === 0, END_MS);
      if (!gone) fail(`${signal}: still running: ${membersOf(npm.pid).join(', ')}`);
    },
  };
}

function collect(child) {
  const log = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      log.text += chunk;
    });
  }
  return log;
}

async function until(condition, milliseconds) {
  const deadline = Date.now() + milliseconds;
  while (!condition()) {
    if (Date.now() > deadline) return false;
    await sleep(50);
  }
  return true;
}
