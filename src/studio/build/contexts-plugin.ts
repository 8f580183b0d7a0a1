import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import { CONTEXTS, contextsAlone, contextsIn, withoutContexts } from './contexts.ts';

/** A module that has contexts: where none are found in it, the package is published in another form. */
const KNOWN = 'Button.mjs';
const COMPONENT = /[\\/]react-aria-components[\\/]dist[\\/]private[\\/]\w+\.mjs$/;

/**
 * A module of React Aria has a component and the contexts by which others find it. A button asks whether it stands in a
 * menu, and would bring all of a menu with it: with the contexts in modules of their own, it does not.
 */
export const contextsPlugin = (): Plugin => ({
  name: 'canonry-contexts',
  apply: 'build',
  enforce: 'pre',
  resolveId: {
    filter: { id: /\?contexts$/ },
    handler: (source, importer = '') => ({
      id: join(dirname(importer), source),
      moduleSideEffects: false,
    }),
  },
  load: {
    filter: { id: /\?contexts$/ },
    handler: (id) => contextsAlone(readFileSync(id.slice(0, -CONTEXTS.length), 'utf8')),
  },
  transform: {
    filter: { id: COMPONENT },
    handler(code, id) {
      if (basename(id) === KNOWN && contextsIn(code).length === 0)
        throw new Error(`${id} has no contexts in the form that contexts.ts reads`);
      const textOf = (file: string) => readFileSync(join(dirname(id), file), 'utf8');
      return { code: withoutContexts(code, basename(id), textOf), map: null };
    },
  },
});
