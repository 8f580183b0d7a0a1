import {
  defineLanguageFacet,
  HighlightStyle,
  Language,
  LanguageSupport,
  syntaxHighlighting,
} from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { tags } from '@lezer/highlight';
import { GFM, type InlineContext, type MarkdownConfig, parser } from '@lezer/markdown';
import { linkAt } from '../../../content/references/links.ts';

const BRACKET = '['.charCodeAt(0);
const EXCLAMATION = '!'.charCodeAt(0);

/** Our links, in the forms that the service reads. They come before markdown's own, which begin alike. */
const entityLinks: MarkdownConfig = {
  defineNodes: [{ name: 'EntityLink', style: tags.link }],
  parseInline: [{ name: 'EntityLink', before: 'Link', parse: parseEntityLink }],
};

function parseEntityLink(context: InlineContext, next: number, position: number): number {
  if (next !== BRACKET && next !== EXCLAMATION) return -1;
  const link = linkAt(context.text, position - context.offset);
  if (link === undefined) return -1;
  return context.addElement(context.elt('EntityLink', position, position + link.length));
}

const language = new Language(
  defineLanguageFacet({ closeBrackets: { brackets: [] } }),
  parser.configure([GFM, entityLinks]),
  [],
  'markdown',
);

const style = HighlightStyle.define([
  { tag: tags.strong, class: 'ce-strong' },
  { tag: tags.emphasis, class: 'ce-emphasis' },
  { tag: tags.strikethrough, class: 'ce-struck' },
  { tag: tags.monospace, class: 'ce-code' },
  { tag: [tags.processingInstruction, tags.contentSeparator], class: 'ce-mark' },
  { tag: [tags.url, tags.labelName], class: 'ce-address' },
]);

/** Markdown with tables, task lists and strikethrough. HTML in it is text. */
export const markdown: Extension = [new LanguageSupport(language), syntaxHighlighting(style)];
