import { isMap, type JsonMap } from '../../text/json.ts';
import { blockText } from './block-scalar.ts';
import { inlineScalar, type QuoteStyle, type ScalarContext } from './scalar.ts';
import type { ScalarStyle } from './tree.ts';

export interface RenderStyle {
  quote: QuoteStyle;
  /** Columns between a key and the `-` of its list. */
  listIndent: number;
  /** For strings of several lines; otherwise they are double-quoted. */
  blockScalars: boolean;
}

/** Text on the line of the key or dash, and whole lines under it. */
export interface Rendered {
  inline: string;
  lines: string[];
}

const INDENT = 2;

/** Under a key at `column`, or after the `-` of a list at that column. */
export function renderBlock(
  value: unknown,
  parent: 'map' | 'seq',
  column: number,
  style: RenderStyle,
  wish: ScalarStyle = 'plain',
): Rendered {
  if (Array.isArray(value) && value.length > 0) {
    const listColumn = column + (parent === 'seq' ? INDENT : style.listIndent);
    return nested(
      parent,
      listColumn,
      value.flatMap((item) => itemLines(item, listColumn, style)),
    );
  }
  if (isMap(value) && Object.keys(value).length > 0) {
    return nested(parent, column + INDENT, mapLines(value, column + INDENT, style));
  }
  const block = asBlockText(value, column + INDENT, style, wish);
  if (block) return { inline: block.header, lines: block.lines };
  return { inline: renderFlow(value, style, wish, 'block'), lines: [] };
}

/** A collection in a list starts on the line of its dash. */
function nested(parent: 'map' | 'seq', column: number, lines: string[]): Rendered {
  const [first = '', ...rest] = lines;
  return parent === 'seq' ? { inline: first.slice(column), lines: rest } : { inline: '', lines };
}

function asBlockText(value: unknown, indent: number, style: RenderStyle, wish: ScalarStyle) {
  if (typeof value !== 'string' || !style.blockScalars) return undefined;
  const wasBlock = wish === 'literal' || wish === 'folded';
  if (!value.includes('\n') && !wasBlock) return undefined;
  return blockText(value, wish === 'folded', indent, INDENT);
}

export function pairLines(
  key: string,
  value: unknown,
  column: number,
  style: RenderStyle,
  wish?: ScalarStyle,
): string[] {
  const { inline, lines } = renderBlock(value, 'map', column, style, wish);
  return [
    `${' '.repeat(column)}${renderKey(key, style, 'block')}:${inline === '' ? '' : ` ${inline}`}`,
    ...lines,
  ];
}

export function itemLines(value: unknown, column: number, style: RenderStyle): string[] {
  const { inline, lines } = renderBlock(value, 'seq', column, style);
  return [`${' '.repeat(column)}- ${inline}`, ...lines];
}

export function mapLines(map: JsonMap, column: number, style: RenderStyle): string[] {
  return Object.entries(map).flatMap(([key, value]) => pairLines(key, value, column, style));
}

/** At the start of a line it ends the document. */
const DOCUMENT_END = /^\.\.\.(?:\s|$)/;

/** A key as text; the coordinate `y` and its like are known well enough to stand without quotes. */
export function renderKey(key: string, style: RenderStyle, context: ScalarContext): string {
  if (/^[yn]$/i.test(key)) return key;
  return inlineScalar(key, DOCUMENT_END.test(key) ? style.quote : 'plain', style.quote, context);
}

export function renderFlow(
  value: unknown,
  style: RenderStyle,
  wish: ScalarStyle = 'plain',
  context: ScalarContext = 'flow',
): string {
  if (Array.isArray(value)) return `[${value.map((item) => renderFlow(item, style)).join(', ')}]`;
  if (isMap(value)) {
    const pairs = Object.entries(value).map(
      ([key, item]) => `${renderKey(key, style, 'flow')}: ${renderFlow(item, style)}`,
    );
    return `{${pairs.join(', ')}}`;
  }
  return inlineScalar(value, wish, style.quote, context);
}
