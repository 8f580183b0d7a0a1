import { type ReactNode, useCallback, useState } from 'react';
import { createPortal } from 'react-dom';

/**
 * A select or a combo box takes every option within it for its own, also those of a menu or of tags. What has such shows
 * in `place` and belongs to whatever renders `content`, outside of the control.
 */
export function useOutlet(children: ReactNode): { place: ReactNode; content: ReactNode } {
  const [place, setPlace] = useState<HTMLElement>();
  // React Aria also renders into a document of its own, which has no elements.
  const take = useCallback((node: unknown) => {
    if (node instanceof HTMLElement) setPlace(node);
  }, []);
  if (!children) return { place: null, content: null };
  return {
    place: <span ref={take} style={{ display: 'contents' }} />,
    content: place && createPortal(children, place),
  };
}
