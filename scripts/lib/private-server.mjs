import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, globSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const STARTUP_MS = 30_000;
const EXTRA_FOLDERS = [
  '/usr/lib/postgresql/*/bin',
  '/usr/sbin',
  '/opt/homebrew/opt/{postgresql*,redis}/bin',
  '/usr/local/opt/{postgresql*,redis}/bin',
];

/** The folder that holds all these programs, PATH first, newest last resort; undefined where there is none. */
export function findPrograms(...names) {
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...EXTRA_FOLDERS.flatMap((pattern) => globSync(pattern).sort().reverse()),
  ];
  return folders.find((folder) => names.every((name) => isExecutable(join(folder, name))));
}

/** A TCP port that was free a moment ago. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/**
 * Starts a server that ends, and takes its folder along, when `stop` is called or this process is gone, however it ended.
 * @param {{command: string[], folder: string, user?: {uid: number, gid: number}, isReady: () => Promise<boolean>}} server
 *   `isReady` is asked until it says so
 * @returns {Promise<{stop: () => Promise<void>}>}
 */
export async function startServer({ command, folder, user, isReady }) {
  // The shell waits for its standard input, which closes with this process, and tidies up then.
  const script =
    'folder=$1; shift; "$@" & server=$!; read -r _; kill -INT "$server"; wait "$server"; rm -rf "$folder"';
  const args = ['-c', script, 'sh', folder, ...command];
  const child = spawn('sh', args, {
    ...user,
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = once(child, 'close');
  const stop = async () => {
    child.stdin.end();
    await ended;
  };
  const deadline = Date.now() + STARTUP_MS;
  while (!(await isReady())) {
    if (Date.now() > deadline) {
      await stop();
      throw new Error(`${command[0]} did not start in ${STARTUP_MS / 1000} s\n${errors.trim()}`);
    }
    await sleep(100);
  }
  return { stop };
}

function isExecutable(path) {
  if (!existsSync(path)) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
