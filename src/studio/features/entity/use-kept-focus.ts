import { type RefObject, useEffect, useRef } from 'react';
import { focusWithin } from './focusable.ts';

/**
 * A control that goes away while it has the focus, such as the answer to a question, leaves it to what stands around it; one
 * that only gets another place keeps it, as does a field that gets another control.
 */
export function useKeptFocus<T extends HTMLElement>(): RefObject<T | null> {
  const ref = useRef<T>(null);
  useEffect(() => {
    const root = ref.current;
    if (!root) return;
    let path: HTMLElement[] = [];
    const remember = () => {
      const now = document.activeElement;
      path = now instanceof HTMLElement ? pathTo(root, now) : [];
    };
    // A field to which the address leads has the focus already.
    remember();
    const observer = new MutationObserver((mutations) => {
      const [last] = path;
      if (document.activeElement !== document.body || !last) return;
      if (!last.isConnected) {
        if (!focusInNewField(root, last)) path.find((element) => element.isConnected && focusWithin(element));
      } else if (mutations.some((one) => [...one.addedNodes].some((added) => added.contains(last))))
        last.focus();
    });
    root.addEventListener('focusin', remember);
    observer.observe(root, { childList: true, subtree: true });
    return () => {
      root.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, []);
  return ref;
}

/** A field whose template has changed has another control, in which typing goes on at the same place. */
function focusInNewField(root: HTMLElement, last: HTMLElement): boolean {
  const path = last.closest<HTMLElement>('[data-path]')?.dataset.path;
  if (path === undefined || !focusWithin(root.querySelector(`[data-path="${CSS.escape(path)}"]`)))
    return false;
  const now = document.activeElement;
  if (isText(last) && isText(now)) now.setSelectionRange(last.selectionStart, last.selectionEnd);
  return true;
}

const isText = (element: Element | null): element is HTMLInputElement | HTMLTextAreaElement =>
  element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && element.type === 'text');

/** From the inside out. */
function pathTo(root: HTMLElement, target: HTMLElement): HTMLElement[] {
  const path: HTMLElement[] = [];
  for (let at: HTMLElement | null = target; at && root.contains(at); at = at.parentElement) path.push(at);
  return path;
}
