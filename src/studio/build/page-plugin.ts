import type { Plugin } from 'vite';

/** React Aria adds a `<style>`, which the CSP refuses, unless an element has this id. The rule itself is in base.css. */
const PRESSABLE = 'react-aria-pressable-style';
const STYLESHEET = '<link rel="stylesheet"';

/** Gives the page's stylesheet the id that React Aria looks for. */
export const pagePlugin = (): Plugin => ({
  name: 'canonry-page',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      if (!html.includes(STYLESHEET))
        throw new Error('The page has no stylesheet to carry the id that React Aria needs');
      return html.replace(STYLESHEET, `<link id="${PRESSABLE}" rel="stylesheet"`);
    },
  },
});
