// Memory that a service holds for its whole life; both can only be said before Node starts. The C library keeps a pool
// for each thread where two do, and V8 keeps three times this many megabytes for objects that die young. Half as many
// do not hold the requests under way: what should die then moves to the old ones, and a request costs half as much again.
const POOLS = '2';
const YOUNG_MEGABYTES = 4;
// So little is collected with less work by the thread itself than with helpers.
const ALONE = '--no-parallel-scavenge';
// Each waits for one sync of the disk at a time: with Node's four, fifty who save at once wait for one another.
const DISK_THREADS = '16';

/**
 * Starts a script again in this very process, with a small appetite; returns where that is done already or cannot be.
 * Timers and all else that the process set up are gone with it, so call this first.
 * @param {string} script
 * @param {string[]} args
 */
export function beginLean(script, args) {
  if (process.platform !== 'linux' || process.env.MALLOC_ARENA_MAX) return;
  const flags = [...process.execArgv, `--max-semi-space-size=${YOUNG_MEGABYTES}`, ALONE];
  const env = { UV_THREADPOOL_SIZE: DISK_THREADS, ...process.env, MALLOC_ARENA_MAX: POOLS };
  process.execve(process.execPath, [process.execPath, ...flags, script, ...args], env);
}
