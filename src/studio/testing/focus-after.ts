import type { Page } from 'playwright-core';

/**
 * Watches until no element fits a selector, and then gives the text of what has the focus as soon as that is so: before the
 * browser draws again or takes another key.
 */
export async function focusAfter(page: Page, selector: string): Promise<() => Promise<string>> {
  const watch = await page.evaluateHandle((gone) => {
    const focused = new Promise<string>((resolve) => {
      const { body } = document;
      const tell = ({ activeElement }: Document) =>
        resolve(activeElement === body ? 'nothing' : (activeElement?.textContent ?? ''));
      new MutationObserver((_, observer) => {
        if (document.querySelector(gone)) return;
        observer.disconnect();
        queueMicrotask(() => tell(document));
      }).observe(body, { childList: true, subtree: true });
    });
    return { focused };
  }, selector);
  return () => watch.evaluate(({ focused }) => focused);
}
