import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

const STARTUP_MS = 60_000;
const LINES_KEPT = 40;
/** PostgreSQL then cuts all connections and recovers. */
const PART_DIED = /was terminated by signal/;
/**
 * The shell waits for the server and stops it when its own standard input closes, which happens however this process
 * ends.
 */
const SCRIPT = `folder=$1; shift; "$@" & server=$!
exec 3<&0; { read -r _ <&3; kill -INT "$server"; } & reader=$!
wait "$server"; code=$?; kill "$reader" 2>/dev/null; wait "$server"; rm -rf "$folder"; exit "$code"`;

/**
 * Starts a server that ends, and whose folder is removed, when `stop` is called or this process is gone.
 * @param {{command: string[], folder: string, user?: {uid: number, gid: number}, isReady: () =>
 * Promise<boolean>}} server `isReady` is polled until it returns true
 * @returns {Promise<{stop: () => Promise<void>, lost: Promise<string>}>} `lost` resolves, if nobody stopped
 * the server, to the way it ended and its last output
 */
export async function startServer({ command, folder, user, isReady }) {
  const child = spawn('sh', ['-c', SCRIPT, 'sh', folder, ...command], {
    ...user,
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  child.stdin.on('error', () => undefined);
  const { promise: lost, resolve: lose } = Promise.withResolvers();
  let said = '';
  child.stderr.on('data', (chunk) => {
    said = (said + chunk).split('\n').slice(-LINES_KEPT).join('\n');
    if (PART_DIED.test(chunk)) lose(`a process of ${command[0]} died\n${said.trim()}`);
  });
  let isStopping = false;
  const ended = once(child, 'close');
  ended.then(([code]) => {
    if (!isStopping) lose(`${command[0]} ended with ${code}\n${said.trim()}`);
  });
  const stop = async () => {
    isStopping = true;
    child.stdin.end();
    await ended;
  };
  const deadline = Date.now() + STARTUP_MS;
  while (!(await isReady())) {
    const word =
      (await Promise.race([lost, sleep(100)])) ??
      (Date.now() > deadline
        ? `${command[0]} did not start in ${STARTUP_MS / 1000} s\n${said.trim()}`
        : undefined);
    if (word === undefined) continue;
    await stop();
    throw new Error(word);
  }
  return { stop, lost };
}
