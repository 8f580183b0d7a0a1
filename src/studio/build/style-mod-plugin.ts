import type { Plugin } from 'vite';
import { adoptStyleSheets } from './style-mod.ts';

/** CodeMirror's styles without a `<style>` element, which the CSP refuses. */
export const styleModPlugin = (): Plugin => ({
  name: 'canonry-style-mod',
  transform: (code, id) =>
    /[\\/]style-mod[\\/]src[\\/]style-mod\.js$/.test(id)
      ? { code: adoptStyleSheets(code), map: null }
      : undefined,
});
