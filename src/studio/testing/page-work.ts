import type { CDPSession, Locator, Page } from 'playwright-core';

const KEYS = 40;
const FRAMES = 120;
const MOST_ROUNDS = 5;

/**
 * The milliseconds of script, style and layout that a key takes where the cursor is, of the round of keys that other
 * processes disturbed least; no more rounds are made than it takes to come to `most`.
 */
export async function workOfKey(page: Page, most: number): Promise<number> {
  const session = await openSession(page);
  return leastOfRounds(most, () => workInRound(page, session));
}

/** The same for a frame while a box scrolls by so many pixels in each, and the median milliseconds between two frames. */
export async function workOfFrame(
  box: Locator,
  pixels: number,
  most: number,
): Promise<{ work: number; interval: number }> {
  const session = await openSession(box.page());
  let interval = Number.POSITIVE_INFINITY;
  const work = await leastOfRounds(most, async () => {
    const before = await workOf(session);
    interval = Math.min(interval, await scroll(box, pixels));
    return ((await workOf(session)) - before) / FRAMES;
  });
  return { work, interval };
}

async function openSession(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  // The time of the thread, in which a busy machine does not count.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return session;
}

async function leastOfRounds(most: number, measure: () => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < MOST_ROUNDS && least > most; round += 1)
    least = Math.min(least, await measure());
  return least;
}

/** Below this stays the quarter of its keys that took least. */
async function workInRound(page: Page, session: CDPSession): Promise<number> {
  const works: number[] = [];
  for (let key = 0; key < KEYS; key += 1) {
    const before = await workOf(session);
    await page.keyboard.press(key % 7 === 6 ? 'Space' : 'e');
    await page.waitForTimeout(30);
    works.push((await workOf(session)) - before);
  }
  return works.toSorted((a, b) => a - b)[KEYS / 4] ?? 0;
}

/** Resolves to the median of the milliseconds between its frames. */
const scroll = (box: Locator, pixels: number): Promise<number> =>
  box.evaluate(
    async (element, { pixels, frames }) => {
      const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
      const intervals: number[] = [];
      let last = await nextFrame();
      for (let frame = 0; frame < frames; frame += 1) {
        element.scrollTop += pixels;
        const now = await nextFrame();
        intervals.push(now - last);
        last = now;
      }
      return intervals.toSorted((a, b) => a - b)[frames / 2] ?? 0;
    },
    { pixels, frames: FRAMES },
  );

async function workOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  const names = ['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration'];
  return (
    1_000 * metrics.filter(({ name }) => names.includes(name)).reduce((sum, { value }) => sum + value, 0)
  );
}
