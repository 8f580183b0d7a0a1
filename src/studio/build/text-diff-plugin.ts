import type { Plugin } from 'vite';

/**
 * CodeMirror's comparison of texts, which every draft needs, stands in one file with its view of two texts, which few
 * pages need. The comparison gets a copy of the file of its own, of which nothing else is left.
 */
export const textDiffPlugin = (): Plugin => ({
  name: 'canonry-text-diff',
  apply: 'build',
  enforce: 'pre',
  resolveId: {
    filter: { id: /^@codemirror\/merge$/ },
    async handler(source, importer) {
      if (!importer?.endsWith('/rebase-text.ts')) return undefined;
      const resolved = await this.resolve(source, importer, { skipSelf: true });
      return resolved && `${resolved.id}?diff`;
    },
  },
});
