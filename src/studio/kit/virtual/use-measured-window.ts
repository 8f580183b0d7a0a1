import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';
import type { RowWindow } from './use-window.ts';

export interface MeasuredWindow extends RowWindow {
  /** The ref of each row's element, which has the row's index as `data-index`. */
  measure: (element: HTMLElement | null) => void;
}

/** As `useWindow`, for rows that are as high as what they say. `heightOf` guesses until a row was shown. */
export function useMeasuredWindow(
  box: RefObject<HTMLElement | null>,
  count: number,
  { heightOf, keyOf }: { heightOf: (index: number) => number; keyOf: (index: number) => string },
): MeasuredWindow {
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: heightOf,
    getItemKey: keyOf,
    overscan: 6,
  });
  return {
    rows: virtual.getVirtualItems().map(({ index, start }) => ({ index, start })),
    height: virtual.getTotalSize(),
    scrollTo: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
    measure: virtual.measureElement,
  };
}
