import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useState } from 'react';
import type { RowWindow, WindowRow } from './use-window.ts';

export interface MeasuredWindow extends RowWindow {
  /** Puts the element of a row in its place, and measures it. */
  propsOf: (row: WindowRow) => {
    ref: (element: HTMLElement | null) => void;
    'data-index': number;
    style: { transform: string };
  };
}

interface Rows {
  /** Pixels; guesses until a row was shown. */
  heightOf: (index: number) => number;
  keyOf: (index: number) => string;
}

/** As `useWindow`, for rows that are as high as what they say. */
export const useMeasuredWindow = (
  box: RefObject<HTMLElement | null>,
  count: number,
  rows: Rows,
): MeasuredWindow => useRows(count, rows, { scroller: () => box.current, list: box, margin: 0 });

/** As `useMeasuredWindow`, for a list that scrolls with its page and has other things above it. */
export function usePageWindow(
  list: RefObject<HTMLElement | null>,
  count: number,
  rows: Rows,
): MeasuredWindow {
  const [margin, setMargin] = useState(0);
  const scroller = () => list.current?.closest('main') ?? null;
  // What stands above the list grows and shrinks with every answer.
  useLayoutEffect(() => {
    const page = scroller();
    if (!page || !list.current) return;
    const above = list.current.getBoundingClientRect().top - page.getBoundingClientRect().top;
    setMargin(Math.round(above + page.scrollTop));
  });
  return useRows(count, rows, { scroller, list, margin });
}

interface Scrolling {
  scroller: () => HTMLElement | null;
  list: RefObject<HTMLElement | null>;
  /** Pixels above the list. */
  margin: number;
}

/** The row that has the focus stays: without it the keys would go nowhere. */
function withFocused(range: Range, list: HTMLElement | null): number[] {
  const inView = defaultRangeExtractor(range);
  const row = document.activeElement?.closest<HTMLElement>('[data-index]');
  const index = row && list?.contains(row) ? Number(row.dataset.index) : Number.NaN;
  const isAway = index < range.count && !inView.includes(index);
  return isAway ? [...inView, index].sort((a, b) => a - b) : inView;
}

function useRows(
  count: number,
  { heightOf, keyOf }: Rows,
  { scroller, list, margin }: Scrolling,
): MeasuredWindow {
  const virtual = useVirtualizer({
    count,
    getScrollElement: scroller,
    estimateSize: heightOf,
    getItemKey: keyOf,
    scrollMargin: margin,
    overscan: 6,
    rangeExtractor: (range) => withFocused(range, list.current),
  });
  return {
    rows: virtual.getVirtualItems().map(({ index, start }) => ({ index, start: start - margin })),
    height: virtual.getTotalSize(),
    scrollTo: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
    propsOf: ({ index, start }) => ({
      ref: virtual.measureElement,
      'data-index': index,
      style: { transform: `translateY(${start}px)` },
    }),
  };
}
