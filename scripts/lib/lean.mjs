// Memory that a service holds for its whole life; both limits must be set before Node starts. By default the
// C library keeps an arena per thread where two are enough. V8 keeps three times YOUNG_MEGABYTES for
// short-lived objects: half as much does not hold the running requests, so that their objects are promoted to
// the old generation and a request costs half as much again.
const POOLS = '2';
const YOUNG_MEGABYTES = 4;
// So small a heap is collected with less work by the thread itself than with helpers.
const ALONE = '--no-parallel-scavenge';
// Each thread waits for one sync of the disk at a time: with Node's four, fifty concurrent saves would wait
// for one another.
const DISK_THREADS = '16';

/**
 * Replaces this process by a run of the script with less memory; returns if that was done before or is
 * impossible. Timers and everything else that the process has set up are lost, so call this first.
 * @param {string} script
 * @param {string[]} args
 */
export function beginLean(script, args) {
  if (process.platform !== 'linux' || process.env.MALLOC_ARENA_MAX) return;
  const flags = [...process.execArgv, `--max-semi-space-size=${YOUNG_MEGABYTES}`, ALONE];
  const env = { UV_THREADPOOL_SIZE: DISK_THREADS, ...process.env, MALLOC_ARENA_MAX: POOLS };
  process.execve(process.execPath, [process.execPath, ...flags, script, ...args], env);
}
