import { type RefObject, useEffect, useRef, useState } from 'react';

/** True from the moment on when the element has been on the screen. */
export function useSeen(): { ref: RefObject<HTMLDivElement | null>; isSeen: boolean } {
  const ref = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (isSeen || !ref.current) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [isSeen]);
  return { ref, isSeen };
}
