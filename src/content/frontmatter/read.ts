import { constructFromEvents, EVENT_ID, type Event, parseEvents } from 'js-yaml';
import { isMap, type JsonMap } from '../../text/json.ts';
import { findFault } from './check.ts';
import { DOCUMENT_LIMITS } from './limits.ts';
import { lineOfPath, offsetOf, PARSER_DEPTH, scalarSource } from './locate.ts';
import { type DocumentProblem, problemAtStart } from './problem.ts';
import { missingFrontmatter, type SplitDocument, splitDocument } from './split.ts';
import { columnOf } from './text.ts';
import { yamlProblem } from './yaml-error.ts';

export interface ReadDocument {
  ok: true;
  head: string;
  body: string;
  /** JSON values: dates and keys are strings. */
  data: JsonMap;
  /** Counted from 1, of the key or list item at `path`, or of its nearest parent. */
  lineOf(path: readonly (string | number)[]): number;
  /** `1.80` for a number that reads as 1.8; undefined if there is no scalar. */
  sourceOf(path: readonly (string | number)[]): string | undefined;
  /** Kept if the document is read to be edited: that saves another parse. */
  events?: Event[];
}
export type ReadResult = ReadDocument | { ok: false; problem: DocumentProblem };
type DataResult = { ok: true; data: JsonMap; events: Event[] } | { ok: false; problem: DocumentProblem };

/** Nothing is ever executed. Faults come as a problem with line and column. */
export function readDocument(text: string, { toEdit = false } = {}): ReadResult {
  if (isLarger(text, DOCUMENT_LIMITS.bytes)) return tooLarge('file', DOCUMENT_LIMITS.bytes);
  const parts = splitDocument(text);
  if (!parts.hasFrontmatter) return { ok: false, problem: missingFrontmatter(text) };
  const { head, body } = parts;
  const nul = body.indexOf('\0');
  if (nul >= 0) return { ok: false, problem: nulAt(head + body, head.length + nul) };
  const read = readYaml(parts);
  if (!read.ok) return read;
  const document = documentOf(parts, read.data);
  return toEdit ? { ...document, events: read.events } : document;
}

export const documentOf = ({ head, body, yaml, yamlLine }: SplitDocument, data: JsonMap): ReadDocument => ({
  ok: true,
  head,
  body,
  data,
  lineOf: (path) => lineOfPath(yaml, yamlLine, path),
  sourceOf: (path) => scalarSource(yaml, path),
});

function readYaml({ yaml, yamlLine }: SplitDocument): DataResult {
  if (isLarger(yaml, DOCUMENT_LIMITS.yamlBytes)) return tooLarge('frontmatter', DOCUMENT_LIMITS.yamlBytes);
  let parsed: Parsed;
  try {
    parsed = parse(yaml);
  } catch (error) {
    return { ok: false, problem: yamlProblem(error, yaml, yamlLine) };
  }
  const { documents, events, hasAliases } = parsed;
  if (documents.length > 1)
    return refuse(yamlLine, 'yaml', 'the frontmatter holds more than one YAML document');
  const data = documents.length === 0 ? {} : documents[0];
  if (!isMap(data))
    return refuse(yamlLine, 'not_a_map', 'the frontmatter must be a list of "key: value" lines');
  const fault = findFault(data, hasAliases);
  if (fault === undefined) return { ok: true, data, events };
  const line = lineOfPath(yaml, yamlLine, fault.path);
  const column = columnOf(yaml, offsetOf(yaml, fault.path)) + 1;
  return { ok: false, problem: { reason: fault.reason, line, column, code: fault.code } };
}

interface Parsed {
  documents: unknown[];
  events: Event[];
  hasAliases: boolean;
}

/** Throws the parser's errors. */
export function parse(yaml: string): Parsed {
  const events: Event[] = parseEvents(yaml, { maxDepth: PARSER_DEPTH });
  const documents = constructFromEvents(events, { source: yaml, maxAliases: DOCUMENT_LIMITS.aliases });
  return {
    documents,
    events,
    hasAliases: yaml.includes('*') && events.some((event) => event.type === EVENT_ID.ALIAS),
  };
}

function nulAt(text: string, offset: number): DocumentProblem {
  const line = text.slice(0, offset).split('\n').length;
  const reason = 'the body contains a NUL character: it is damaged, or not text';
  return { reason, line, column: columnOf(text, offset) + 1, code: 'invalid_text' };
}

function refuse(line: number, code: 'yaml' | 'not_a_map', reason: string): DataResult {
  return { ok: false, problem: { reason, line, column: 1, code } };
}

function tooLarge(what: string, limit: number): { ok: false; problem: DocumentProblem } {
  return { ok: false, problem: problemAtStart('too_large', `the ${what} is larger than ${limit} bytes`) };
}

/** In UTF-8 bytes, which are counted only if the length does not decide. */
export function isLarger(text: string, limit: number): boolean {
  if (text.length * 3 <= limit) return false;
  return text.length > limit || new TextEncoder().encode(text).length > limit;
}
