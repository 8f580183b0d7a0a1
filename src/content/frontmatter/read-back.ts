import { EVENT_ID, type Event, parseEvents } from 'js-yaml';
import { isMap, type JsonMap } from '../../text/json.ts';
import { DOCUMENT_LIMITS } from './limits.ts';
import { PARSER_DEPTH } from './locate.ts';
import { documentOf, isLarger, parse, type ReadResult, readDocument } from './read.ts';
import { applySplices, inOrder, type Splice } from './splice.ts';
import { splitDocument } from './split.ts';
import { isBreak } from './text.ts';
import { type MapEntry, treeOfEvents, type YamlNode } from './tree.ts';

export interface PresentYaml {
  yaml: string;
  data: JsonMap;
  root: YamlNode | undefined;
  /** Undefined unless each entry can be read without the others. */
  entries: readonly MapEntry[] | undefined;
}

export interface EditedYaml {
  yaml: string;
  splices: readonly Splice[];
}

export function presentYaml(yaml: string, data: JsonMap, known?: Event[]): PresentYaml {
  const events = known ?? parseEvents(yaml, { maxDepth: PARSER_DEPTH });
  const root = treeOfEvents(yaml, events, data);
  return { yaml, data, root, entries: separateEntries(yaml, data, events, root) };
}

/** Entries that no splice touched keep their values; only the others are parsed, if they can be read by themselves. */
export function readBack(present: PresentYaml, edited: EditedYaml, document: string): ReadResult {
  const parts = splitDocument(document);
  const isLarge =
    isLarger(document, DOCUMENT_LIMITS.bytes) || isLarger(edited.yaml, DOCUMENT_LIMITS.yamlBytes);
  if (!isLarge && parts.yaml === edited.yaml && !parts.body.includes('\0')) {
    const data = dataAfter(present, edited.splices);
    if (data !== undefined) return documentOf(parts, data);
  }
  return readDocument(document);
}

/** Undefined if it must be parsed as a whole. */
function dataAfter({ yaml, data, entries }: PresentYaml, splices: readonly Splice[]): JsonMap | undefined {
  const runs = entries && touchedRuns(entries, splices);
  if (entries === undefined || runs === undefined) return undefined;
  const pairs: [string, unknown][] = [];
  const keep = (from: number, until: number) => {
    for (const { name } of entries.slice(from, until)) pairs.push([name, data[name]]);
  };
  let next = 0;
  for (const run of runs) {
    keep(next, run.first);
    const changed = readEntries(runAfter(yaml, entries, run));
    if (changed === undefined) return undefined;
    pairs.push(...Object.entries(changed));
    next = run.last + 1;
  }
  keep(next, entries.length);
  const all = Object.fromEntries(pairs);
  return Object.keys(all).length === pairs.length ? all : undefined;
}

interface Run {
  first: number;
  last: number;
  splices: Splice[];
}

/**
 * An entry's lines begin with its key, so the line break before a run must be unchanged, or the run could belong to what
 * precedes it. Undefined if something before the first key is touched.
 */
function touchedRuns(entries: readonly MapEntry[], splices: readonly Splice[]): Run[] | undefined {
  const runs: Run[] = [];
  for (const splice of inOrder(splices)) {
    const first = entries.findLastIndex(({ start }) => start < splice.start);
    if (first < 0) return undefined;
    const after = entries.findIndex(({ start }) => start > splice.end);
    const last = (after < 0 ? entries.length : after) - 1;
    const before = runs.at(-1);
    if (before && before.last >= first) {
      before.last = Math.max(before.last, last);
      before.splices.push(splice);
    } else runs.push({ first, last, splices: [splice] });
  }
  return runs;
}

function runAfter(yaml: string, entries: readonly MapEntry[], { first, last, splices }: Run): string {
  const from = entries[first]?.start ?? 0;
  const moved = splices.map(({ start, end, text }) => ({ start: start - from, end: end - from, text }));
  return applySplices(yaml.slice(from, entries[last + 1]?.start), moved) ?? '';
}

/** Undefined if it is no stand-alone block map. */
function readEntries(yaml: string): JsonMap | undefined {
  try {
    const { documents, events } = parse(yaml);
    const [data] = documents;
    const root = isMap(data) ? treeOfEvents(yaml, events, data) : undefined;
    return isMap(data) && separateEntries(yaml, data, events, root) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Only if the root map is a block of plain keys at the margin without any references. */
function separateEntries(
  yaml: string,
  data: JsonMap,
  events: readonly Event[],
  root: YamlNode | undefined,
): readonly MapEntry[] | undefined {
  if (root?.kind !== 'map' || root.flow || root.start !== root.contentStart) return undefined;
  const isSeparate =
    isBare(events) &&
    // Skipped where it is the very first character, part of a key elsewhere.
    !yaml.includes('\uFEFF') &&
    Object.keys(data).length === root.entries.length &&
    root.entries.every((entry) => isAtMargin(yaml, entry) && Object.hasOwn(data, entry.name));
  return isSeparate ? root.entries : undefined;
}

const isAtMargin = (yaml: string, { start, colon, explicit }: MapEntry): boolean =>
  !explicit && colon >= 0 && (start === 0 || isBreak(yaml.charCodeAt(start - 1)));

/** No markers, directives or anchors. */
const isBare = (events: readonly Event[]): boolean =>
  events.every((event, index) => {
    if (event.type === EVENT_ID.POP) return true;
    if (event.type !== EVENT_ID.DOCUMENT) return event.type !== EVENT_ID.ALIAS && event.anchorStart < 0;
    return index === 0 && !event.explicitStart && !event.explicitEnd && event.directives.length === 0;
  });
