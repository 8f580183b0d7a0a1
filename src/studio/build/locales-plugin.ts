import type { Plugin } from 'vite';

const TRANSLATIONS =
  /[\\/]react-(?:aria|aria-components|stately)[\\/]dist[\\/]private[\\/].*intlStrings\.mjs$/;
const LOCALE = /["/]([a-z]{2}-[A-Z]{2})(?:\.mjs)?"/;
const SPOKEN = new Set(['en-US', 'de-DE']);

/** React Aria speaks 34 languages, Studio two: the texts of the others take 20 KB gzip. */
export const localesPlugin = (): Plugin => ({
  name: 'canonry-locales',
  enforce: 'pre',
  transform: (code, id) => (TRANSLATIONS.test(id) ? { code: spokenIn(code), map: null } : undefined),
});

/** Each language has a line that imports it, and one in the list of all. */
const spokenIn = (code: string): string =>
  code
    .split('\n')
    .filter((line) => {
      const locale = LOCALE.exec(line)?.[1];
      return locale === undefined || SPOKEN.has(locale);
    })
    .join('\n');
