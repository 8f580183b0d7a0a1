/** Milliseconds after the first failure; each further failure doubles them. */
const SHORTEST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

const pauseAfter = (failures: number): number =>
  Math.min(SHORTEST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);

/**
 * Passes on hints, but delays them after failed runs, longer each time: a run that names paths and then fails would start the next
 * one at once, for instance while the database refuses writes.
 */
export function createHintBackoff(pass: (paths: readonly string[]) => void) {
  const waiting = new Set<string>();
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;

  function passAll(): void {
    clearTimeout(timer);
    timer = undefined;
    const paths = [...waiting];
    waiting.clear();
    if (paths.length > 0) pass(paths);
  }

  return {
    hint(paths: readonly string[]): void {
      for (const path of paths) waiting.add(path);
      if (failures === 0) passAll();
      else timer ??= setTimeout(passAll, pauseAfter(failures)).unref();
    },
    ran(isWell: boolean): void {
      failures = isWell ? 0 : failures + 1;
      if (isWell) passAll();
    },
    stop: (): void => clearTimeout(timer),
  };
}
