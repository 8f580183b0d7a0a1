import {
  CHOMPING_MODE,
  COLLECTION_STYLE,
  constructFromEvents,
  EVENT_ID,
  type Event,
  parseEvents,
  SCALAR_STYLE,
} from 'js-yaml';
import { isMap, type JsonMap } from '../../text/json.ts';
import { isBreak, lineEnd, lineStart, skipTrivia } from './text.ts';

type ScalarEvent = Extract<Event, { type: typeof EVENT_ID.SCALAR }>;
type CollectionEvent = Extract<Event, { type: typeof EVENT_ID.SEQUENCE | typeof EVENT_ID.MAPPING }>;

/** Offsets into the YAML; `end` is exclusive. */
interface Place {
  /** With anchor and tag. */
  start: number;
  /** Without anchor and tag. */
  contentStart: number;
  end: number;
  anchor: string | undefined;
  aliases: AliasNode[];
  value: unknown;
}
export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded';
export interface ScalarNode extends Place {
  kind: 'scalar';
  style: ScalarStyle;
  /** As in `key:`. */
  empty: boolean;
}
export interface AliasNode extends Place {
  kind: 'alias';
  target: YamlNode | undefined;
}
export interface MapNode extends Place {
  kind: 'map';
  flow: boolean;
  /** A pair inside `[a: 1]`, without braces. */
  bare: boolean;
  entries: MapEntry[];
}
export interface SeqNode extends Place {
  kind: 'seq';
  flow: boolean;
  items: SeqItem[];
}
export interface MapEntry {
  start: number;
  name: string;
  key: YamlNode;
  /** -1 if there is none. */
  colon: number;
  /** Written as `? key`. */
  explicit: boolean;
  value: YamlNode;
}
export interface SeqItem {
  /** In flow style the start of the item. */
  start: number;
  value: YamlNode;
}
export type YamlNode = ScalarNode | AliasNode | MapNode | SeqNode;

const STYLES: Record<number, ScalarStyle> = {
  [SCALAR_STYLE.PLAIN]: 'plain',
  [SCALAR_STYLE.SINGLE_QUOTED]: 'single',
  [SCALAR_STYLE.DOUBLE_QUOTED]: 'double',
  [SCALAR_STYLE.LITERAL_BLOCK]: 'literal',
  [SCALAR_STYLE.FOLDED_BLOCK]: 'folded',
};

interface Builder {
  text: string;
  events: Event[];
  next: number;
  /** Of all scalars, in their order. */
  values: readonly unknown[];
  nextValue: number;
  anchors: Map<string, YamlNode>;
}

/**
 * Undefined if the document holds no value. From the events of the parser that reads the values, so that reading and
 * editing never disagree.
 */
export const parseTree = (text: string, maxDepth: number): YamlNode | undefined =>
  treeOfEvents(text, parseEvents(text, { maxDepth }));

/** `data` holds the values of the document if they are known already. */
export function treeOfEvents(text: string, events: Event[], data?: JsonMap): YamlNode | undefined {
  if (events.length === 0) return undefined;
  const values = scalarValues(text, events);
  return readNode({ text, events, next: 1, values, nextValue: 0, anchors: new Map() }, 0, data);
}

const LIST: Event = {
  type: EVENT_ID.SEQUENCE,
  start: 0,
  anchorStart: -1,
  anchorEnd: -1,
  tagStart: -1,
  tagEnd: -1,
  style: COLLECTION_STYLE.BLOCK,
};
const END: Event = { type: EVENT_ID.POP };

/** As one list: a run of the parser for each would cost more than all their values. */
function scalarValues(text: string, events: readonly Event[]): readonly unknown[] {
  const scalars = events.filter(({ type }) => type === EVENT_ID.SCALAR);
  const list = [...events.slice(0, 1), LIST, ...scalars, END, END];
  return constructFromEvents(list, { source: text })[0] as unknown[];
}

/** `known` is the node's value if it is known already. */
function readNode(builder: Builder, cursor: number, known: unknown): YamlNode {
  const event = builder.events[builder.next++];
  switch (event?.type) {
    case EVENT_ID.SCALAR:
      return register(builder, readScalar(builder, event, cursor, known));
    case EVENT_ID.ALIAS:
      return readAlias(builder, event.anchorStart, event.anchorEnd);
    case EVENT_ID.MAPPING:
      return readMap(builder, event, isMap(known) ? known : undefined);
    case EVENT_ID.SEQUENCE:
      return readSeq(builder, event, Array.isArray(known) ? known : undefined);
    default:
      throw new Error('unexpected end of the event stream');
  }
}

function register(builder: Builder, node: YamlNode): YamlNode {
  if (node.anchor !== undefined) builder.anchors.set(node.anchor, node);
  return node;
}

function readScalar(builder: Builder, event: ScalarEvent, cursor: number, known: unknown): ScalarNode {
  const { text } = builder;
  const value = builder.values[builder.nextValue++];
  const props = properties(event);
  const at = props?.end ?? cursor;
  const style = STYLES[event.style] ?? 'plain';
  const isBlock = style === 'literal' || style === 'folded';
  const empty = !isBlock && event.valueStart < 0;
  const quote = style === 'plain' ? 0 : 1;
  const contentStart = isBlock ? skipTrivia(text, at) : empty ? at : event.valueStart - quote;
  return {
    kind: 'scalar',
    style,
    empty,
    start: props?.start ?? contentStart,
    contentStart,
    end: isBlock ? blockEnd(text, event, contentStart) : empty ? at : event.valueEnd + quote,
    anchor: anchorName(text, event),
    aliases: [],
    value: known === undefined ? value : known,
  };
}

/** Without the last line break; blank lines at the end count only under `+`. */
function blockEnd(text: string, event: ScalarEvent, contentStart: number): number {
  let end = event.valueEnd;
  while (end > event.valueStart) {
    const lineStop = withoutBreak(text, end);
    const start = Math.max(event.valueStart, lineStart(text, lineStop));
    const isEmpty =
      lineStop - start <= Math.max(0, event.indent) && text.slice(start, lineStop).trim() === '';
    if (event.chomping === CHOMPING_MODE.KEEP || !isEmpty) return lineStop;
    end = start;
  }
  return lineEnd(text, contentStart);
}

function withoutBreak(text: string, end: number): number {
  if (text.slice(end - 2, end) === '\r\n') return end - 2;
  return isBreak(text.charCodeAt(end - 1)) ? end - 1 : end;
}

function readAlias(builder: Builder, anchorStart: number, anchorEnd: number): AliasNode {
  const target = builder.anchors.get(builder.text.slice(anchorStart, anchorEnd));
  const start = anchorStart - 1;
  const node: AliasNode = {
    kind: 'alias',
    start,
    contentStart: start,
    end: anchorEnd,
    anchor: undefined,
    aliases: [],
    target,
    value: target?.value,
  };
  target?.aliases.push(node);
  return node;
}

function readMap(builder: Builder, event: CollectionEvent, known: JsonMap | undefined): MapNode {
  const { text } = builder;
  const flow = event.style === COLLECTION_STYLE.FLOW;
  const bare = flow && text[event.start] !== '{';
  const value: JsonMap = known ?? Object.create(null);
  const node: MapNode = { kind: 'map', flow, bare, entries: [], ...collectionPlace(text, event), value };
  register(builder, node);
  let cursor = flow && !bare ? event.start + 1 : event.start;
  while (!atPop(builder)) {
    const entry = readEntry(builder, skipCommas(text, cursor, flow), known);
    node.entries.push(entry);
    if (known === undefined) value[entry.name] = entry.value.value;
    cursor = entry.value.end;
  }
  node.end = flow && !bare ? skipCommas(text, cursor, true) + 1 : cursor;
  return node;
}

function readEntry(builder: Builder, start: number, known: JsonMap | undefined): MapEntry {
  const { text } = builder;
  const explicit = text[start] === '?' && /[\s]/.test(text.charAt(start + 1) || ' ');
  const key = readNode(builder, explicit ? start + 1 : start, undefined);
  const name = String(key.value);
  const afterKey = skipTrivia(text, key.end);
  const colon = text[afterKey] === ':' ? afterKey : -1;
  const knownValue = known && Object.hasOwn(known, name) ? known[name] : undefined;
  const value = readNode(builder, colon < 0 ? key.end : colon + 1, knownValue);
  return { start: Math.min(start, key.start), name, key, colon, explicit, value };
}

function readSeq(builder: Builder, event: CollectionEvent, known: readonly unknown[] | undefined): SeqNode {
  const { text } = builder;
  const flow = event.style === COLLECTION_STYLE.FLOW;
  const value: unknown[] = [];
  const node: SeqNode = { kind: 'seq', flow, items: [], ...collectionPlace(text, event), value };
  register(builder, node);
  let cursor = flow ? event.start + 1 : event.start;
  while (!atPop(builder)) {
    const start = skipCommas(text, cursor, flow);
    const item = readNode(builder, flow ? start : start + 1, known?.[node.items.length]);
    node.items.push({ start: flow ? item.start : start, value: item });
    value.push(item.value);
    cursor = item.end;
  }
  node.end = flow ? skipCommas(text, cursor, true) + 1 : cursor;
  return node;
}

function atPop(builder: Builder): boolean {
  const event = builder.events[builder.next];
  if (event !== undefined && event.type !== EVENT_ID.POP) return false;
  builder.next++;
  return true;
}

function skipCommas(text: string, offset: number, flow: boolean): number {
  const position = skipTrivia(text, offset);
  return flow && text[position] === ',' ? skipTrivia(text, position + 1) : position;
}

function collectionPlace(text: string, event: CollectionEvent): Omit<Place, 'value'> {
  const props = properties(event);
  const start = props?.start ?? event.start;
  return { start, contentStart: event.start, end: event.start, anchor: anchorName(text, event), aliases: [] };
}

function properties(event: ScalarEvent | CollectionEvent): { start: number; end: number } | undefined {
  if (event.anchorStart < 0 && event.tagStart < 0) return undefined;
  const starts = [event.anchorStart - 1, event.tagStart].filter((offset) => offset >= 0);
  return { start: Math.min(...starts), end: Math.max(event.anchorEnd, event.tagEnd) };
}

function anchorName(text: string, event: ScalarEvent | CollectionEvent): string | undefined {
  return event.anchorStart < 0 ? undefined : text.slice(event.anchorStart, event.anchorEnd);
}
