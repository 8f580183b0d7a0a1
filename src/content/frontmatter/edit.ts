import type { Event } from 'js-yaml';
import { deepEqual, type JsonMap } from '../../text/json.ts';
import { withBody, withFrontmatter } from './assemble.ts';
import { findFault } from './check.ts';
import { expectedData, type FieldEdit } from './expected.ts';
import { DocumentError, problemAtStart } from './problem.ts';
import { type ReadDocument, readDocument } from './read.ts';
import { presentYaml, readBack } from './read-back.ts';
import { splitDocument } from './split.ts';
import { editYaml } from './yaml-edit.ts';

/** Fields tried one by one; each costs a parse of the whole frontmatter. */
const MAX_STEPS = 50;

export interface DocumentEdit extends FieldEdit {
  /** Without the blank line that separates it from the frontmatter. */
  body?: string;
  /** New key → the existing key it should follow; otherwise it comes last. */
  after?: Record<string, string>;
}

/**
 * Every line that the edit does not concern stays byte for byte. The result has been read back and compared before it is
 * returned. Throws DocumentError for an unreadable document, an unwritable value, or an edit that did not verify.
 */
export function editDocument(text: string, edit: DocumentEdit): string {
  return applyEdit(text, readFields(text), edit).text;
}

/** Returns the document as it was read back. */
export function changeDocument(document: ReadDocument, edit: DocumentEdit): ReadDocument {
  const changed = applyEdit(document.head + document.body, present(document), edit).document;
  if (changed === undefined) throw didNotVerify();
  return changed;
}

interface Fields {
  data: JsonMap;
  body: string;
  /** Undefined without frontmatter. */
  document: ReadDocument | undefined;
}

/** With the parser's events if available. */
interface Said {
  text: string;
  data: JsonMap;
  events?: Event[] | undefined;
}

interface Edited {
  text: string;
  document: ReadDocument | undefined;
}

const present = (document: ReadDocument): Fields => ({ data: document.data, body: document.body, document });

function applyEdit(text: string, before: Fields, edit: DocumentEdit): Edited {
  const expected = expectedData(before.data, edit);
  const fault = findFault(expected, false);
  if (fault) throw new DocumentError(problemAtStart(fault.code, fault.reason));
  const body = edit.body ?? before.body;
  let result: Edited = { text, document: before.document };
  if (!deepEqual(expected, before.data)) {
    const framed = before.document ? text : withFrontmatter(text);
    const said = { text: framed, data: before.data, events: before.document?.events };
    result = editFields(said, expected, edit.after ?? {});
  }
  if (body !== before.body) result = { text: withBody(result.text, body), document: undefined };
  const found = result.document ? present(result.document) : readFields(result.text);
  if (found.body !== body || !deepEqual(found.data, expected)) throw didNotVerify();
  return { text: result.text, document: found.document };
}

function readFields(text: string): Fields {
  const read = readDocument(text);
  if (read.ok) return present(read);
  if (read.problem.code !== 'no_frontmatter') throw new DocumentError(read.problem);
  return { data: {}, body: splitDocument(text).body, document: undefined };
}

const didNotVerify = () =>
  new DocumentError(
    problemAtStart('yaml', 'the edit did not read back as it was meant; the document is unchanged'),
  );

/** If all fields at once do not verify, one after the other. */
function editFields(said: Said, expected: JsonMap, after: Record<string, string>): Edited {
  const { text, data: before } = said;
  const whole = editOnce(said, expected, after);
  if (whole !== undefined) return whole;
  const keys = changedKeys(before, expected);
  if (keys.length > MAX_STEPS) throw notEditable(text, keys[0] ?? '');
  let current: Edited = { text, document: undefined };
  for (const key of keys) {
    const { data } = readFields(current.text);
    const edited = editOnce({ text: current.text, data }, stepTowards(data, expected, key), after);
    if (edited === undefined) throw notEditable(current.text, key);
    current = edited;
  }
  return current;
}

function notEditable(text: string, key: string): DocumentError {
  const read = readDocument(text);
  const line = read.ok ? read.lineOf([key]) : 1;
  const reason = `the field "${key}" cannot be changed without changing others; edit the file by hand`;
  return new DocumentError({ reason, line, column: 1, code: 'yaml' });
}

function changedKeys(data: JsonMap, expected: JsonMap): string[] {
  const keys = new Set([...Object.keys(data), ...Object.keys(expected)]);
  return [...keys].filter((key) => !Object.hasOwn(expected, key) || !deepEqual(data[key], expected[key]));
}

function stepTowards(data: JsonMap, expected: JsonMap, key: string): JsonMap {
  const { [key]: _, ...others } = data;
  return Object.hasOwn(expected, key) ? { ...others, [key]: expected[key] } : others;
}

function editOnce(
  { text, data, events }: Said,
  expected: JsonMap,
  after: Record<string, string>,
): Edited | undefined {
  const { head, body, yaml, newline } = splitDocument(text);
  const start = head.indexOf('\n') + 1;
  const present = presentYaml(yaml, data, events);
  for (const edited of editYaml(yaml, present.root, newline, expected, after)) {
    const candidate = head.slice(0, start) + edited.yaml + head.slice(start + yaml.length) + body;
    const document = readBack(present, edited, candidate);
    if (document.ok && document.body === body && deepEqual(document.data, expected))
      return { text: candidate, document };
  }
  return undefined;
}
