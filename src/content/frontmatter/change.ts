import type { RenderStyle } from './render.ts';
import type { Splice } from './splice.ts';
import { lineStart } from './text.ts';
import type { MapEntry, SeqItem, YamlNode } from './tree.ts';

/** How far an edit may reach; each try of an edit is bolder than the one before. */
export interface Strategy {
  /** Edit inside collections; otherwise whole pairs are written anew. */
  fine: boolean;
  blockScalars: boolean;
  /** A removed pair takes the blank lines and deeper comments after it with it. */
  removeGap: boolean;
}

/** One try of an edit: the text, and what has been decided so far. */
export interface Change {
  text: string;
  newline: string;
  style: RenderStyle;
  strategy: Strategy;
  splices: Splice[];
  /** Nodes whose value changes by an entry that comes or goes. */
  touched: Set<YamlNode>;
  /** Nodes whose source is taken out; everything inside goes with them. */
  gone: Set<YamlNode>;
  /** New top-level key → key after which it is to stand. */
  after: Readonly<Record<string, string>>;
}

/** The place of one value: an entry of a map or an item of a list. */
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

/** True if nothing but spaces precedes an offset on its line. */
export function ownsLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === '';
}

/** Inserts whole lines at the start of a line. */
export function insertLines(change: Change, offset: number, lines: readonly string[]): void {
  splice(change, offset, offset, lines.map((line) => line + change.newline).join(''));
}

/** Marks a node and all inside it as taken out. */
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
