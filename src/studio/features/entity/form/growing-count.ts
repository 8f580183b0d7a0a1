import { useEffect, useState } from 'react';

const AT_FIRST = 12;
const AT_ONCE = 16;

/** The number of items to draw: the first ones now, the others when the browser has time. */
export function useGrowingCount(total: number): number {
  const [count, setCount] = useState(AT_FIRST);
  useEffect(() => {
    if (count >= total) return;
    return whenIdle(() => setCount(count + AT_ONCE));
  }, [count, total]);
  return count;
}

function whenIdle(run: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(run, 1);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: 500 });
  return () => cancelIdleCallback(handle);
}
