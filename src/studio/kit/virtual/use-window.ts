import { type RefObject, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';

export interface WindowRow {
  index: number;
  /** Pixels from the top of the list. */
  start: number;
}

export interface RowWindow {
  rows: readonly WindowRow[];
  /** Pixels of all rows together. */
  height: number;
  scrollTo(index: number): void;
}

/** Rows that are drawn beyond either edge of the view, so that scrolling finds them there. */
const BEYOND = 12;
/** The window moves by so many rows at once: fewer moves are less work. */
const STEP = 4;

/** The rows of a long list that are in view, and a few around them; all have the same height. */
export function useWindow(box: RefObject<HTMLElement | null>, count: number, rowHeight: number): RowWindow {
  const { first, last } = useRowsInView(useElement(box), rowHeight);
  const from = Math.max(first - BEYOND, 0);
  const to = Math.min(last + BEYOND, count);
  return {
    rows: Array.from({ length: Math.max(to - from, 0) }, (_, at) => ({
      index: from + at,
      start: (from + at) * rowHeight,
    })),
    height: count * rowHeight,
    scrollTo(index) {
      const element = box.current;
      if (!element) return;
      const start = index * rowHeight;
      const end = start + rowHeight - element.clientHeight;
      if (start < element.scrollTop) element.scrollTop = start;
      else if (end > element.scrollTop) element.scrollTop = end;
    },
  };
}

/** The element of a ref, which a component may draw later than it begins. */
function useElement(box: RefObject<HTMLElement | null>): HTMLElement | null {
  const [element, setElement] = useState<HTMLElement | null>(null);
  useLayoutEffect(() => setElement(box.current));
  return element;
}

interface Span {
  first: number;
  /** One behind the last row. */
  last: number;
}

function useRowsInView(element: HTMLElement | null, rowHeight: number): Span {
  const [span, setSpan] = useState<Span>({ first: 0, last: 0 });
  useLayoutEffect(() => {
    if (!element) return;
    const look = () => {
      const { scrollTop, clientHeight } = element;
      const first = rounded(Math.floor, scrollTop / rowHeight);
      const last = rounded(Math.ceil, (scrollTop + clientHeight) / rowHeight);
      setSpan((known) => (known.first === first && known.last === last ? known : { first, last }));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    // Drawn later, the rows would be missing from the frame that was scrolled to.
    const onScroll = () => flushSync(look);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [element, rowHeight]);
  return span;
}

const rounded = (round: (value: number) => number, row: number): number => round(row / STEP) * STEP;
