/** After the first failure, in milliseconds; each further one doubles it. */
const SHORTEST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

const pauseAfter = (failures: number): number =>
  Math.min(SHORTEST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);

/**
 * Passes on which paths to look at. After a run that failed they wait, longer each time: a run may name paths and then fail, and
 * by them begin the next one, as where templates can be read and the database takes nothing.
 */
export function createPatientHints(pass: (paths: readonly string[]) => void) {
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
    /** Notes how a run ended. */
    ran(isWell: boolean): void {
      failures = isWell ? 0 : failures + 1;
      if (isWell) passAll();
    },
    stop: (): void => clearTimeout(timer),
  };
}
