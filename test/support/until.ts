import { setTimeout as pause } from 'node:timers/promises';

/** Generous, since the machine may be busy: only what hangs shall fail. */
const PATIENCE_MS = 60_000;
const ASK_EVERY_MS = 10;

/** Repeats until the check holds; an error counts as false. `seen` finally reports what was there instead. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  seen: () => unknown = () => String(isSo),
): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    let cause: unknown;
    // A machine that stood still until the deadline is asked once more.
    const isLast = performance.now() > deadline;
    try {
      if (await isSo()) return;
    } catch (error) {
      cause = error;
    }
    if (isLast)
      throw new Error(`not so within ${PATIENCE_MS / 1000} s: ${JSON.stringify(await seen())}`, { cause });
    await pause(ASK_EVERY_MS);
  }
}
