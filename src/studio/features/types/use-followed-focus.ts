import { type RefObject, useEffect, useRef } from 'react';

interface FollowedFocus {
  ref: RefObject<HTMLDivElement | null>;
  /** After the next change the focus goes to the first control within these parts that can have it. */
  follow: (...selectors: string[]) => void;
}

/** A button that takes what it belongs to somewhere else takes the focus along. */
export function useFollowedFocus(): FollowedFocus {
  const ref = useRef<HTMLDivElement>(null);
  const wanted = useRef<readonly string[]>([]);
  useEffect(() => {
    const control = wanted.current
      .map((part) => ref.current?.querySelector<HTMLElement>(`${part} :is(button, input):not(:disabled)`))
      .find((found) => found);
    wanted.current = [];
    control?.focus();
    if (control instanceof HTMLInputElement) control.select();
  });
  const follow = (...selectors: string[]) => {
    wanted.current = selectors;
  };
  return { ref, follow };
}
