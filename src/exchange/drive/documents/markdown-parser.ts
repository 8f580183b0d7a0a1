import { GFM, type InlineContext, type MarkdownParser, parser } from '@lezer/markdown';
import { linkAt } from '../../../content/references/links.ts';

export const ENTITY_LINK = 'EntityLink';

const STARTS = new Set(['[', '!'].map((letter) => letter.charCodeAt(0)));

function parseEntityLink(context: InlineContext, next: number, position: number): number {
  if (!STARTS.has(next)) return -1;
  const link = linkAt(context.text, position - context.offset);
  if (link === undefined) return -1;
  return context.addElement(context.elt(ENTITY_LINK, position, position + link.length));
}

/** As texts of a world are read: with tables, and links to entities before markdown's own, which begin alike. */
export const markdownParser: MarkdownParser = parser.configure([
  GFM,
  {
    defineNodes: [ENTITY_LINK],
    parseInline: [{ name: ENTITY_LINK, before: 'Link', parse: parseEntityLink }],
  },
]);
