import { withBody, withFrontmatter } from './assemble.ts';
import { findFault } from './check.ts';
import { expectedData, type FieldEdit } from './expected.ts';
import { deepEqual, type JsonMap } from './json.ts';
import { DocumentError, problemAtStart } from './problem.ts';
import { readDocument } from './read.ts';
import { splitDocument } from './split.ts';
import { editYaml } from './yaml-edit.ts';

/** Fields that are tried one by one; each takes a parse of the whole frontmatter. */
const MAX_STEPS = 50;

export interface DocumentEdit extends FieldEdit {
  /** The whole new body, without the blank line that separates it from the frontmatter. */
  body?: string;
  /** New key → existing key after which it is to stand; otherwise it stands last. */
  after?: Record<string, string>;
}

/**
 * Changes fields and body of a document. Every line that the edit does not concern stays byte for byte; a value equal to the
 * present one changes nothing. The result has been read back and compared before it is returned.
 * Throws DocumentError for a document that cannot be read, a value that cannot be written, or an edit that did not verify.
 */
export function editDocument(text: string, edit: DocumentEdit): string {
  const present = readFields(text);
  const expected = expectedData(present.data, edit);
  const fault = findFault(expected, false);
  if (fault) throw new DocumentError(problemAtStart(fault.code, fault.reason));
  let result = text;
  if (!deepEqual(expected, present.data)) {
    const framed = present.hasFrontmatter ? text : withFrontmatter(text);
    result = editFields(framed, expected, edit.after ?? {});
  }
  if (edit.body !== undefined && edit.body !== present.body) result = withBody(result, edit.body);
  verify(result, expected, edit.body ?? present.body);
  return result;
}

function readFields(text: string): { data: JsonMap; body: string; hasFrontmatter: boolean } {
  const read = readDocument(text);
  if (read.ok) return { data: read.data, body: read.body, hasFrontmatter: true };
  if (read.problem.code !== 'no_frontmatter') throw new DocumentError(read.problem);
  return { data: {}, body: splitDocument(text).body, hasFrontmatter: false };
}

/** Edits the YAML between the fences; when all fields at once do not verify, one field after the other. */
function editFields(text: string, expected: JsonMap, after: Record<string, string>): string {
  const whole = editOnce(text, expected, after);
  if (whole !== undefined) return whole;
  const keys = changedKeys(readFields(text).data, expected);
  if (keys.length > MAX_STEPS) throw notEditable(text, keys[0] ?? '');
  let current = text;
  for (const key of keys) {
    const edited = editOnce(current, stepTowards(readFields(current).data, expected, key), after);
    if (edited === undefined) throw notEditable(current, key);
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

function editOnce(text: string, expected: JsonMap, after: Record<string, string>): string | undefined {
  const { head, body, yaml, newline } = splitDocument(text);
  const start = head.indexOf('\n') + 1;
  for (const edited of editYaml(yaml, newline, expected, after)) {
    const candidate = head.slice(0, start) + edited + head.slice(start + yaml.length) + body;
    if (holds(candidate, expected, body)) return candidate;
  }
  return undefined;
}

function holds(text: string, expected: JsonMap, body: string): boolean {
  const read = readDocument(text);
  return read.ok && read.body === body && deepEqual(read.data, expected);
}

function verify(text: string, expected: JsonMap, body: string): void {
  const read = readDocument(text);
  if (!read.ok && read.problem.code !== 'no_frontmatter') throw new DocumentError(read.problem);
  const found = readFields(text);
  if (found.body !== body || !deepEqual(found.data, expected)) {
    throw new DocumentError(
      problemAtStart('yaml', 'the edit did not read back as it was meant; the document is unchanged'),
    );
  }
}
