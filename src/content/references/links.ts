import { proseOf } from './prose.ts';

/** `[[id]]` or `[[type:id]]`, with `#heading` and `|label` if present. */
export interface Link {
  type: string | undefined;
  id: string;
  /** The offset of the id. */
  start: number;
  end: number;
}

/** Longer than any entity's id and any odd folder name of a real project. */
export const LONGEST_ID = 200;

/** In tables the bar before the label is escaped. */
const LINK = /(\\|!)?\[\[([^[\]|#\\\r\n]+)(?:#[^[\]|\\\r\n]*)?(?:\\?\|([^[\]\r\n]*))?\]\]/g;
const LINK_HERE = new RegExp(LINK.source, 'y');
const TARGET = /^(\s*)(?:([a-z0-9][a-z0-9_]*):)?(\s*)(.*?)\s*$/;
/** `![[map.png]]` shows a file. */
const FILE = /\.\w{1,5}$/;

/** In order, outside code. A path is no id, an escaped link no link. */
export function linksOf(text: string): Link[] {
  if (!text.includes('[[')) return [];
  return [...proseOf(text)].flatMap(({ start, end }) => linksWithin(text.slice(start, end), start));
}

/** A link as a reader sees it. */
export interface ShownLink {
  type: string | undefined;
  id: string;
  /** Undefined: the entity's name is shown. */
  label: string | undefined;
  /** Of the whole link, from its brackets or its exclamation mark. */
  length: number;
}

/** The link whose brackets, or exclamation mark, begin at a position outside code. */
export function linkAt(text: string, position: number): ShownLink | undefined {
  LINK_HERE.lastIndex = position;
  const match = LINK_HERE.exec(text);
  if (match === null || match[1] === '\\') return undefined;
  const [whole, before, target = '', label] = match;
  const link = linkTo(target, position, before === '!');
  return link && { type: link.type, id: link.id, label: label?.trim() || undefined, length: whole.length };
}

function linksWithin(prose: string, offset: number): Link[] {
  return [...prose.matchAll(LINK)].flatMap(({ 0: whole, 1: before, 2: target = '', index }) => {
    if (before === '\\') return [];
    const at = offset + index + whole.indexOf('[[') + 2;
    return linkTo(target, at, before === '!') ?? [];
  });
}

function linkTo(target: string, at: number, isEmbedded: boolean): Link | undefined {
  if (target.length > LONGEST_ID * 2) return undefined;
  const [, indent = '', type, gap = '', id = ''] = TARGET.exec(target) ?? [];
  if (id === '' || id.length > LONGEST_ID || id.includes('/')) return undefined;
  if (isEmbedded && FILE.test(id)) return undefined;
  const start = at + indent.length + (type === undefined ? 0 : type.length + 1) + gap.length;
  return { type, id, start, end: start + id.length };
}
