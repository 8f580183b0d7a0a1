import { useEffect, useRef } from 'react';
import { useAddress } from '../../kit/router/router.ts';

/**
 * Screen readers and the Tab key begin at the heading of each new page, but not of the first. It stands beside the page
 * in one Suspense, so that it waits until the page has loaded. A page that only got another address, as a new entity does at
 * its first save, still has the focus, which stays where the user types.
 */
export function FocusOnHeading() {
  const { path } = useAddress();
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    const page = document.getElementById('page');
    const focused = document.activeElement;
    if (focused !== page && page?.contains(focused)) return;
    (page?.querySelector<HTMLElement>('h1') ?? page)?.focus({ preventScroll: true });
  }, [path]);
  return null;
}
