import { setTimeout as pause } from 'node:timers/promises';

/** Long enough for a machine that is busy with much else: what hangs shall fail, what is slow shall not. */
const PATIENCE_MS = 60_000;
const ASK_EVERY_MS = 10;

/** Asks again and again until it is so; while an error is thrown it is not. `seen` tells, in the end, what was there instead. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  seen: () => unknown = () => String(isSo),
): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    let cause: unknown;
    try {
      if (await isSo()) return;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > deadline)
      throw new Error(`not so within ${PATIENCE_MS / 1000} s: ${JSON.stringify(await seen())}`, { cause });
    await pause(ASK_EVERY_MS);
  }
}
