import { useSyncExternalStore } from 'react';

const pixelsOfRem = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

let known: number | undefined;

/** The user's text size may come later than the page, as a style of the root. */
function subscribe(onChange: () => void): () => void {
  const look = () => {
    known = pixelsOfRem();
    onChange();
  };
  look();
  const observer = new MutationObserver(look);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
  return () => observer.disconnect();
}

function snapshot(): number {
  known ??= pixelsOfRem();
  return known;
}

/** The pixels of a rem: rows of lists that are drawn by their places grow with the text. */
export const useRem = (): number => useSyncExternalStore(subscribe, snapshot);
