import { deepEqual, type JsonMap } from '../../text/json.ts';
import { DocumentError, editDocument, readDocument, splitDocument } from '../frontmatter/index.ts';
import { commentsOf } from './comments.ts';
import { mergeText, type TextConflict } from './text.ts';
import { type MergeConflict, mergeMaps, type Sides } from './values.ts';

export interface DocumentMerge {
  clean: boolean;
  /** The whole file; overlaps have local's side. */
  text: string;
  conflicts: MergeConflict[];
  /** The body with both sides of each overlap. */
  body: string;
  /** False if a text was unreadable or its fields unwritable: then only lines were merged. */
  structured: boolean;
}

/** Decides one overlap, as a merge of the same texts named it. */
export interface Settled {
  conflict: MergeConflict;
  /** Lines for the body; undefined removes a field. */
  value?: unknown;
}

/** For frontmatter comments that the merge could not place. */
const COMMENTS = 'frontmatter_comments';
const BODY = 'markdown_body';

interface Document {
  text: string;
  head: string;
  yaml: string;
  data: JsonMap;
  body: string;
}

/**
 * Frontmatter by key, body by lines, from the common ancestor. The result is local's text with remote's changes edited in,
 * so comments, quoting, line ends and order stay. A deletion overlaps an edit. Never throws; unreadable texts are merged by
 * lines (`structured`: false).
 */
export function mergeDocuments(
  base: string,
  local: string,
  remote: string,
  settled: readonly Settled[] = [],
): DocumentMerge {
  if (local === remote || base === remote) return unchanged(local);
  if (base === local) return unchanged(remote);
  const sides = { base: documentOf(base), local: documentOf(local), remote: documentOf(remote) };
  const merged = isReadable(sides) ? mergeReadable(sides, settled) : undefined;
  return merged ?? mergeLines({ base, local, remote }, settled);
}

const findSettled = (settled: readonly Settled[], conflict: MergeConflict): Settled | undefined =>
  settled.find((each) => deepEqual(each.conflict, conflict));

const settledLines =
  (settled: readonly Settled[]) =>
  (conflict: TextConflict): string | undefined => {
    const value = findSettled(settled, { field: BODY, ...conflict })?.value;
    return typeof value === 'string' ? value : undefined;
  };

const unchanged = (text: string): DocumentMerge => ({
  clean: true,
  text,
  conflicts: [],
  body: splitDocument(text).body,
  structured: true,
});

/** Undefined if unreadable; without frontmatter there are no fields. */
function documentOf(text: string): Document | undefined {
  const { head, yaml } = splitDocument(text);
  const read = readDocument(text);
  if (read.ok) return { text, head, yaml, data: read.data, body: read.body };
  return read.problem.code === 'no_frontmatter'
    ? { text, head, yaml, data: {}, body: text.slice(head.length) }
    : undefined;
}

const isReadable = (sides: Sides<Document | undefined>): sides is Sides<Document> =>
  Object.values(sides).every((side) => side !== undefined);

const pick = <Key extends keyof Document>(
  { base, local, remote }: Sides<Document>,
  key: Key,
): Sides<Document[Key]> => ({
  base: base[key],
  local: local[key],
  remote: remote[key],
});

function mergeReadable(sides: Sides<Document>, settled: readonly Settled[]): DocumentMerge | undefined {
  const { local } = sides;
  const conflicts: MergeConflict[] = [];
  const data = mergeMaps(pick(sides, 'data'), [], (conflict) => {
    const decided = findSettled(settled, conflict);
    if (decided) return decided.value;
    conflicts.push(conflict);
    return conflict.local;
  });
  const body = mergeText(sides.base.body, local.body, sides.remote.body, settledLines(settled));
  const text = withMergedHead(sides, data, body.text) ?? withEdits(sides, data, body.text);
  if (text === undefined) return undefined;
  conflicts.push(...lostComments(sides, text), ...bodyConflicts(body.conflicts));
  return { clean: conflicts.length === 0, text, conflicts, body: body.proposed, structured: true };
}

/** By lines, if its fields come out as merged: that keeps the comments and order of both sides. */
function withMergedHead(sides: Sides<Document>, data: JsonMap, body: string): string | undefined {
  const { base, local, remote } = pick(sides, 'head');
  const head = mergeText(withoutMark(base), withoutMark(local), withoutMark(remote));
  const text = (local.startsWith(MARK) ? MARK : '') + head.text + body;
  const read = documentOf(text);
  return read?.body === body && deepEqual(read.data, data) ? text : undefined;
}

const MARK = '\uFEFF';
const withoutMark = (text: string): string => (text.startsWith(MARK) ? text.slice(MARK.length) : text);

/** Undefined if the fields cannot be written into local's text. */
function withEdits({ local, remote }: Sides<Document>, data: JsonMap, body: string): string | undefined {
  const unset = Object.keys(local.data).filter((key) => !Object.hasOwn(data, key));
  const after = Object.fromEntries(
    Object.keys(data).flatMap((key) => {
      const before = keyBefore(remote.data, key, data);
      return before === undefined ? [] : [[key, before]];
    }),
  );
  try {
    return editDocument(local.text, { set: data, unset, after, body });
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

function keyBefore(remote: JsonMap, key: string, merged: JsonMap): string | undefined {
  const keys = Object.keys(remote);
  return keys.slice(0, keys.indexOf(key)).findLast((earlier) => Object.hasOwn(merged, earlier));
}

/** Written by one side and lost because the other side changed or removed the lines beside them. */
function lostComments({ base, local, remote }: Sides<Document>, text: string): MergeConflict[] {
  const kept = new Set([...commentsOf(base.yaml), ...commentsOf(splitDocument(text).yaml)]);
  const lostOf = (side: Document) => commentsOf(side.yaml).filter((comment) => !kept.has(comment));
  const [ours, theirs] = [lostOf(local), lostOf(remote)];
  if (ours.length + theirs.length === 0) return [];
  return [{ field: COMMENTS, local: ours.join('\n'), remote: theirs.join('\n') }];
}

const bodyConflicts = (conflicts: readonly TextConflict[]): MergeConflict[] =>
  conflicts.map((conflict) => ({ field: BODY, ...conflict }));

function mergeLines({ base, local, remote }: Sides<string>, settled: readonly Settled[]): DocumentMerge {
  const { clean, text, proposed, conflicts } = mergeText(base, local, remote, settledLines(settled));
  return {
    clean,
    text,
    conflicts: bodyConflicts(conflicts),
    body: clean ? splitDocument(text).body : proposed,
    structured: false,
  };
}
