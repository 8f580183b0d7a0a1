import { type RefObject, useEffect, useRef } from 'react';
import { focusWithin } from '../focusable.ts';
import type { Wanted } from './form-types.ts';

const TYPED_IN = 'input, textarea, [contenteditable="true"]';

/** Shows the field that is wanted, and puts the focus into it. */
export function useArrival(wanted: Wanted | undefined): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A user who types already is not taken somewhere else.
    if (!wanted || document.activeElement?.matches(TYPED_IN)) return;
    focusWithin(element.current);
    element.current?.scrollIntoView({ block: 'center' });
  }, [wanted]);
  return element;
}
