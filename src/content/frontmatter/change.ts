import type { RenderStyle } from './render.ts';
import type { Splice } from './splice.ts';
import { lineStart } from './text.ts';
import type { MapEntry, SeqItem, YamlNode } from './tree.ts';

/** Each attempt of an edit is bolder than the one before. */
export interface Strategy {
  /** Edits inside collections; otherwise whole pairs are rewritten. */
  fine: boolean;
  blockScalars: boolean;
  /** A removed pair takes the blank lines and deeper comments after it with it. */
  removeGap: boolean;
}

/** An attempt: the text, and what has been decided so far. */
export interface Change {
  text: string;
  newline: string;
  style: RenderStyle;
  strategy: Strategy;
  splices: Splice[];
  /** Nodes whose value changes because an entry comes or goes. */
  touched: Set<YamlNode>;
  /** Removed, with everything inside. */
  gone: Set<YamlNode>;
  /** New top-level key → the key it should follow. */
  after: Readonly<Record<string, string>>;
}

/** An entry of a map or an item of a list. */
export interface Slot {
  parent: 'map' | 'seq';
  flow: boolean;
  /** Column of the key or dash. */
  column: number;
  /** Offset after the `:` or `-`. */
  after: number;
  entry: MapEntry | SeqItem;
  value: YamlNode;
}

export function splice(change: Change, start: number, end: number, text: string): void {
  change.splices.push({ start, end, text });
}

/** Only spaces precede it. */
export function ownsLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === '';
}

export function insertLines(change: Change, offset: number, lines: readonly string[]): void {
  splice(change, offset, offset, lines.map((line) => line + change.newline).join(''));
}

/** With everything inside. */
export function removeNode(change: Change, node: YamlNode): void {
  change.gone.add(node);
  if (node.kind === 'map') {
    for (const entry of node.entries) {
      removeNode(change, entry.key);
      removeNode(change, entry.value);
    }
  } else if (node.kind === 'seq') {
    for (const item of node.items) removeNode(change, item.value);
  }
}
