/**
 * The ref of what opens above a page and takes the focus. React Aria gives the focus back in the frame after it has
 * closed; until then a Tab would go on from the end of the page, and on a busy machine that is long.
 */
export function returningFocus(overlay: HTMLElement | null): () => void {
  const before = document.activeElement;
  return () => {
    if (!overlay?.contains(document.activeElement)) return;
    // React hears no events of the focus before it has removed the elements.
    queueMicrotask(() => {
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
    });
  };
}
