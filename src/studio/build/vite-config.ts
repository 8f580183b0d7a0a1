import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { InlineConfig } from 'vite';
import { callsPlugin } from './calls-plugin.ts';
import { contextsPlugin } from './contexts-plugin.ts';
import { localesPlugin } from './locales-plugin.ts';
import { pagePlugin } from './page-plugin.ts';
import { styleModPlugin } from './style-mod-plugin.ts';
import { textDiffPlugin } from './text-diff-plugin.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Loading these does nothing, which a bundler cannot tell of their tables: what of them is not used is left out. */
const PURE =
  /[\\/]src[\\/](?:content|text)[\\/]|[\\/]node_modules[\\/](?:diff|js-yaml|style-mod|@lezer|@internationalized)[\\/]/;

/** Parts of React Aria: folders of its hooks, and its components. */
const aria = (hooks: string, components: string): string =>
  String.raw`[\\/]react-(?:aria|stately)[\\/].*[\\/](?:${hooks})[\\/]|[\\/]react-aria-components[\\/].*[\\/](?:${components})\.mjs$`;

/** Those that a form loads by itself where it has such a field. */
const RARE_WIDGETS = 'image|object-array|percentage';

/**
 * Modules that are loaded together are one file: many small ones are larger, since each is compressed by itself. Of
 * several files that a module belongs to, the first one gets it.
 */
const FILES = [
  {
    name: 'first',
    tags: ['$initial' as const],
    test: (id: string) => !id.endsWith('service-worker.ts'),
  },
  { name: 'contexts', test: /\?contexts$/ },
  {
    name: 'drafts',
    test: /[\\/]studio[\\/](?:data|domain)[\\/]drafts[\\/]|[\\/](?:field-path|open-workspace)\.ts$/,
  },
  {
    name: 'text-fields',
    test: RegExp(
      String.raw`${aria('form|label|textfield', 'FieldError|Form|Group|Input|Label|Text|TextArea|TextField')}|[\\/]kit[\\/]ui[\\/](?:field|native-input|radio-group|switch|text-)`,
    ),
  },
  { name: 'overlays', test: RegExp(aria('focus|overlays', 'Dialog|Heading')) },
  {
    name: 'choices',
    test: RegExp(
      String.raw`${aria('collections|list|listbox|select|selection', 'Collection|ListBox|Popover|Select')}|[\\/]kit[\\/]ui[\\/](?:option-list|popover|select)`,
    ),
  },
  {
    // The settings of plugins have some of these, for which the page of an entity must not load more files.
    name: 'form',
    test: RegExp(
      String.raw`${aria('combobox|grid|gridlist|tag', 'ComboBox|TagGroup')}|[\\/]kit[\\/]ui[\\/](?:color-|combo-box|number-field|tag-)|[\\/]features[\\/]entity[\\/]form[\\/](?!widgets[\\/](?:${RARE_WIDGETS})-)`,
    ),
  },
  {
    // Pages ask these of the service in ever other combinations.
    name: 'asked',
    test: /[\\/]studio[\\/](?:data[\\/](?:entity|field-words|history|people)|domain[\\/](?:field-words|findings|findings-query|text-line))\.ts$|[\\/](?:infiniteQueryObserver|useInfiniteQuery)\.js$/,
  },
].map((file, place, { length }) => ({ ...file, priority: length - place }));

/** The settings with which Vite builds the web app, and serves it during development. */
export const studioConfig = (outDir: string): InlineConfig => ({
  root,
  configFile: false,
  base: '/studio/',
  publicDir: fileURLToPath(new URL('../public', import.meta.url)),
  logLevel: 'warn',
  plugins: [
    react(),
    localesPlugin(),
    contextsPlugin(),
    callsPlugin(),
    styleModPlugin(),
    textDiffPlugin(),
    pagePlugin(),
  ],
  // React has it itself by now.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim(?:\/index\.js)?$/, replacement: 'react' }] },
  css: { modules: { generateScopedName: '[local]-[hash:base64:4]' } },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: 'hidden',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    rollupOptions: {
      treeshake: { moduleSideEffects: [{ test: PURE, sideEffects: false }] },
      input: { index: `${root}index.html`, sw: `${root}service-worker.ts` },
      output: {
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        codeSplitting: { groups: FILES },
      },
    },
  },
});
