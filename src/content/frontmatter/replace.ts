import { type Change, removeNode, type Slot, splice } from './change.ts';
import { type Rendered, renderBlock, renderFlow, renderKey } from './render.ts';
import { lineEnd, skipBlanks } from './text.ts';
import type { MapEntry, ScalarStyle, YamlNode } from './tree.ts';

export function replaceValue(change: Change, slot: Slot, next: unknown): void {
  removeNode(change, slot.value);
  if (slot.flow) replaceInFlow(change, slot, next);
  else replaceInBlock(change, slot, next);
}

function replaceInFlow(change: Change, { entry, value }: Slot, next: unknown): void {
  const text = keptAnchor(value) + renderFlow(next, change.style, wishOf(value));
  if (!isUnwritten(value)) splice(change, value.start, value.end, text);
  else splice(change, value.start, value.end, 'colon' in entry && entry.colon < 0 ? `: ${text}` : ` ${text}`);
}

function replaceInBlock(change: Change, slot: Slot, next: unknown): void {
  const { text } = change;
  const { value } = slot;
  const rewritesKey = isEntry(slot.entry) && (slot.entry.explicit || !change.strategy.fine);
  const rendered = renderBlock(next, slot.parent, slot.column, change.style, wishOf(value));
  if (!rewritesKey && rendered.lines.length === 0 && isOneLine(text, slot)) {
    const gap = gapBefore(text, slot);
    splice(change, slot.after, value.end, gap + keptAnchor(value) + rendered.inline);
    return;
  }
  const start = rewritesKey ? slot.entry.start : slot.after;
  const prefix = rewritesKey && isEntry(slot.entry) ? `${keyText(change, slot.entry)}:` : '';
  splice(change, start, lineEnd(text, value.end), prefix + compose(change, slot, rendered));
}

/** After the `:` or `-`: the value, the comments beside the old value, then the lines under it. */
function compose(change: Change, slot: Slot, rendered: Rendered): string {
  const { text, newline } = change;
  const { value } = slot;
  const comments = commentsBeside(text, slot);
  const foldsIntoDash = slot.parent === 'seq' && rendered.lines.length > 0 && !/^[|>]/.test(rendered.inline);
  const moved = foldsIntoDash && (comments !== '' || keptAnchor(value) !== '');
  const lines = moved ? [' '.repeat(slot.column + 2) + rendered.inline, ...rendered.lines] : rendered.lines;
  const inline = `${keptAnchor(value)}${moved ? '' : rendered.inline}`.trimEnd();
  const space = foldsIntoDash ? ' ' : gapBefore(text, slot);
  return [(inline === '' ? '' : space + inline) + comments, ...lines].join(newline);
}

/** Spaces stay; tabs go, since a flow collection may not follow them. */
function gapBefore(text: string, { value, after }: Slot): string {
  const gap = text.slice(after, value.start);
  return /^ +$/.test(gap) ? gap : ' ';
}

/** On the line of the key and, unless they belong to the value, on the line where it ends. */
function commentsBeside(text: string, { value, after }: Slot): string {
  const keyLine = text.slice(after, lineEnd(text, after));
  const isBlockScalar = value.kind === 'scalar' && (value.style === 'literal' || value.style === 'folded');
  const startsLater = value.start > lineEnd(text, after);
  const header = isBlockScalar
    ? lineComment(text, value.contentStart)
    : startsLater
      ? lineComment(keyLine, 0)
      : '';
  const isBlockCollection = (value.kind === 'map' || value.kind === 'seq') && !value.flow;
  return isBlockScalar || isBlockCollection ? header : header + lineComment(text, value.end);
}

/** With the blanks before it. */
function lineComment(text: string, offset: number): string {
  const line = text.slice(offset, lineEnd(text, offset));
  return /[ \t]+#.*$/.exec(line)?.[0] ?? '';
}

function isOneLine(text: string, { value, after }: Slot): boolean {
  return skipBlanks(text, after) >= value.start && value.end <= lineEnd(text, after) && !isBlockStyle(value);
}

function isBlockStyle(value: YamlNode): boolean {
  return value.kind === 'scalar' && (value.style === 'literal' || value.style === 'folded');
}

function isUnwritten(value: YamlNode): boolean {
  return value.kind === 'scalar' && value.empty && value.start === value.end;
}

function isEntry(entry: Slot['entry']): entry is MapEntry {
  return 'key' in entry;
}

function keyText(change: Change, entry: MapEntry): string {
  const { key } = entry;
  const plainScalar =
    key.kind === 'scalar' && !key.empty && key.start === key.contentStart && !isBlockStyle(key);
  const source = change.text.slice(key.start, key.end);
  return plainScalar && !/[\r\n]/.test(source) ? source : renderKey(entry.name, change.style, 'block');
}

/** An anchor without aliases stays; a used one moves to its first alias. */
function keptAnchor(value: YamlNode): string {
  return value.anchor === undefined || value.aliases.length > 0 ? '' : `&${value.anchor} `;
}

function wishOf(value: YamlNode): ScalarStyle {
  return value.kind === 'scalar' && typeof value.value === 'string' ? value.style : 'plain';
}
