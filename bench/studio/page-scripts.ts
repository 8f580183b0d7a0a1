/*
 * Run in the page, so they are texts: benchmarks are checked with the types of Node.js.
 */

/** Before a page loads: counts its largest paint, how much of it moved, and the milliseconds above 50 of each long task. */
export const WATCH_LOADING = `
  const seen = { largestPaint: NaN, shift: 0, blocked: 0 };
  window.benchLoading = seen;
  const watch = (type, see) =>
    new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({ type, buffered: true });
  watch('largest-contentful-paint', ({ startTime }) => { seen.largestPaint = startTime; });
  watch('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) seen.shift += value; });
  watch('longtask', ({ duration }) => { seen.blocked += Math.max(0, duration - 50); });
`;

export const LOADING = `({
  firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
  ...window.benchLoading,
})`;

/** Keeps the milliseconds from each key to the frame that shows what it did. */
export const WATCH_KEYS = `{
  const isWatched = window.benchKeys !== undefined;
  window.benchKeys = [];
  const painted = ({ timeStamp }) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => window.benchKeys.push(performance.now() - timeStamp);
    port2.postMessage(null);
  });
  if (!isWatched) window.addEventListener('keydown', painted, { capture: true });
}`;

export const KEYS = 'window.benchKeys';

export const HAS_WORKER = 'navigator.serviceWorker.controller !== null';
