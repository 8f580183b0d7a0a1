import type { SyntaxNode } from '@lezer/common';
import { linkAt } from '../../../content/references/links.ts';
import { escapedHtml } from '../../../kit/http/html.ts';
import { addressesOf, addressOf, labelOf } from './link-addresses.ts';
import { ENTITY_LINK, markdownParser } from './markdown-parser.ts';

/** Deeper nesting is shown as it is written. */
const DEEPEST = 60;

const MARKS = new Set([
  'HeaderMark',
  'QuoteMark',
  'ListMark',
  'LinkMark',
  'EmphasisMark',
  'CodeMark',
  'StrikethroughMark',
  'CodeInfo',
  'LinkReference',
  'TableDelimiter',
]);

/** Nodes that become one element around their content. */
const ELEMENTS: Readonly<Record<string, string>> = {
  Paragraph: 'p',
  ATXHeading1: 'h1',
  ATXHeading2: 'h2',
  ATXHeading3: 'h3',
  ATXHeading4: 'h4',
  ATXHeading5: 'h5',
  ATXHeading6: 'h6',
  SetextHeading1: 'h1',
  SetextHeading2: 'h2',
  Blockquote: 'blockquote',
  BulletList: 'ul',
  ListItem: 'li',
  Task: 'p',
  TableHeader: 'tr',
  TableRow: 'tr',
  Emphasis: 'em',
  StrongEmphasis: 'strong',
  Strikethrough: 's',
};
/** Their content is nodes alone; what stands between these is layout. */
const ONLY_NODES = new Set([
  'Document',
  'Blockquote',
  'BulletList',
  'OrderedList',
  'ListItem',
  'Table',
  'TableHeader',
  'TableRow',
]);
const ENTITY = /^&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});$/;
const LINKED = /^(?:https?:\/\/|mailto:)[^\s]+$/i;
const INLINE = /^data:/i;
const SHOWN = /^https?:\/\/[^\s]+$/i;

/**
 * HTML of a markdown text, for a document. HTML in it is shown as text, and only web and mail addresses become links. A hostile text
 * can take minutes.
 */
export function markdownHtml(text: string): string {
  const { topNode } = markdownParser.parse(text);
  return createRenderer(text, addressesOf(text, topNode)).content(topNode, 0);
}

const element = (name: string, content: string): string => `<${name}>${content}</${name}>`;

function createRenderer(text: string, addresses: ReadonlyMap<string, string>) {
  const sourceOf = ({ from, to }: { from: number; to: number }): string => text.slice(from, to);
  const written = (node: SyntaxNode): string => escapedHtml(sourceOf(node));

  /** The children of a node between two positions, and the text between them. */
  function between(node: SyntaxNode, from: number, to: number, depth: number): string {
    const isText = !ONLY_NODES.has(node.name);
    let html = '';
    let at = from;
    for (let child = node.firstChild; child !== null; child = child.nextSibling) {
      if (child.from < from || child.to > to) continue;
      if (isText) html += escapedHtml(text.slice(at, child.from));
      html += render(child, depth + 1);
      at = child.to;
    }
    return isText ? html + escapedHtml(text.slice(at, to)) : html;
  }

  const content = (node: SyntaxNode, depth: number): string => between(node, node.from, node.to, depth);

  function render(node: SyntaxNode, depth: number): string {
    const { name } = node;
    if (MARKS.has(name)) return '';
    if (depth > DEEPEST) return written(node);
    const known = ELEMENTS[name];
    if (known !== undefined) return element(known, content(node, depth).trim());
    switch (name) {
      case 'OrderedList':
        return `<ol${startOf(node)}>${content(node, depth)}</ol>`;
      case 'Table':
        return `<table border="1">${content(node, depth)}</table>`;
      case 'TableCell':
        return element(node.parent?.name === 'TableHeader' ? 'th' : 'td', content(node, depth));
      case 'FencedCode':
      case 'CodeBlock':
        return element('pre', escapedHtml(node.getChildren('CodeText').map(sourceOf).join('')));
      case 'InlineCode':
        return element('code', content(node, depth).trim());
      case 'HorizontalRule':
        return '<hr>';
      case 'HardBreak':
        return '<br>';
      case 'Escape':
        return escapedHtml(text.slice(node.from + 1, node.to));
      case 'Entity':
        return ENTITY.test(sourceOf(node)) ? sourceOf(node) : written(node);
      case 'TaskMarker':
        return sourceOf(node) === '[ ]' ? '☐' : '☑';
      case 'Link':
        return link(node, depth);
      case 'Image':
        return image(node);
      case 'Autolink':
        return autolink(node.getChild('URL'), node);
      case 'URL':
        return autolink(node, node);
      case 'HTMLBlock':
      case 'CommentBlock':
      case 'ProcessingInstructionBlock':
        return element('p', written(node));
      case ENTITY_LINK:
        return entityLink(node);
      default:
        return written(node);
    }
  }

  function startOf(list: SyntaxNode): string {
    const mark = list.getChild('ListItem')?.getChild('ListMark');
    const first = mark ? Number.parseInt(sourceOf(mark), 10) : 1;
    return first === 1 || Number.isNaN(first) ? '' : ` start="${first}"`;
  }

  /** The words of a link or an image, and its address, if it has one. */
  function partsOf(node: SyntaxNode) {
    const [opening, closing] = node.getChildren('LinkMark');
    const words = { from: opening?.to ?? node.from, to: closing?.from ?? node.to };
    const url = node.getChild('URL');
    const label = node.getChild('LinkLabel');
    const named = label && label.to - label.from > 2 ? sourceOf(label) : sourceOf(words);
    const address = url ? sourceOf(url) : addresses.get(labelOf(named));
    return { words, address: address && addressOf(address) };
  }

  function link(node: SyntaxNode, depth: number): string {
    const { words, address } = partsOf(node);
    // Brackets without an address are no link.
    if (address === undefined)
      return `[${between(node, words.from, words.to, depth)}]${afterWords(node, words.to)}`;
    const shown = between(node, words.from, words.to, depth);
    return LINKED.test(address) ? `<a href="${escapedHtml(address)}">${shown}</a>` : shown;
  }

  const afterWords = (node: SyntaxNode, to: number): string => escapedHtml(text.slice(to + 1, node.to));

  /** The drive fetches pictures itself, so only those on the web can be shown. */
  function image(node: SyntaxNode): string {
    const { words, address } = partsOf(node);
    const alt = sourceOf(words);
    if (address === undefined) return written(node);
    // A picture that is written in its address would be pages of letters.
    const named = alt || (INLINE.test(address) ? '' : address);
    if (!SHOWN.test(address)) return named && element('em', escapedHtml(named));
    return `<img src="${escapedHtml(address)}" alt="${escapedHtml(alt)}">`;
  }

  function autolink(url: SyntaxNode | null, node: SyntaxNode): string {
    if (url === null) return written(node);
    const shown = sourceOf(url);
    const address = LINKED.test(shown) ? shown : shown.includes('@') ? `mailto:${shown}` : `https://${shown}`;
    // Any other scheme, such as `javascript:`, stays text.
    if (/^[a-z][a-z0-9+.-]*:/i.test(shown) && !LINKED.test(shown)) return written(url);
    return `<a href="${escapedHtml(address)}">${escapedHtml(shown)}</a>`;
  }

  function entityLink(node: SyntaxNode): string {
    const shown = linkAt(text, node.from);
    return shown ? escapedHtml(shown.label ?? shown.id) : written(node);
  }

  return { content };
}
