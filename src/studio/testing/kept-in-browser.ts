import type { Page } from 'playwright-core';

/** True if a row of a table in the browser's store holds the text. */
export const isKeptInBrowser = (page: Page, table: 'drafts' | 'entities', text: string): Promise<boolean> =>
  page.evaluate(
    async ([name, wanted]) => {
      const opening = indexedDB.open('canonry');
      await new Promise((resolve) => opening.addEventListener('success', resolve));
      const reading = opening.result.transaction(name).objectStore(name).getAll();
      await new Promise((resolve) => reading.addEventListener('success', resolve));
      opening.result.close();
      return JSON.stringify(reading.result).includes(wanted);
    },
    [table, text] as const,
  );
