import { entityFromDocument } from '../entity/index.ts';
import { DocumentError, type ReadDocument, readDocument } from '../frontmatter/index.ts';
import type { TemplateDefinition } from '../template/index.ts';
import { applyChanges, type Change, compatible } from './apply.ts';
import { proposeDates } from './dates.ts';
import { proposeDefaults } from './defaults.ts';
import { proposeIdentity } from './identity.ts';
import { proposeReferences } from './references.ts';
import type { Fix, Fixed, FixOptions, Proposal, Subject, Unfixable } from './types.ts';
import { valueAt } from './value-at.ts';
import { proposeValues } from './values.ts';

const PROPOSERS = [proposeDefaults, proposeIdentity, proposeValues, proposeDates, proposeReferences];

/** One fix may enable another: a single name becomes a list, its entry an id. No chain is longer. */
const MOST_ROUNDS = 6;

/** An edit reads the whole file again, and a list may have thousands of faults that cannot be mended. */
const MOST_EDITS = 200;
const TOO_MANY = 'too many places of this file cannot be changed by themselves; edit the file by hand';

/**
 * Fixes the certain faults and names the rest. Only the lines of fixed fields change; the id never does. `folderId` is the
 * name of the file's folder.
 */
export function fixEntity(
  template: TemplateDefinition,
  { text, folderId }: { text: string; folderId: string },
  options: FixOptions,
): Fixed {
  const original = readDocument(text);
  if (!original.ok) {
    const { line, reason } = original.problem;
    return { text, fixes: [], unfixable: [{ field: null, kind: null, value: null, line, reason }] };
  }
  const fixes: Fix[] = [];
  const refused = new Map<string, Proposal>();
  const apply = createApplier(template, (change, reason) =>
    refused.set(keyOf(change), { ...change, action: 'refuse', reason }),
  );
  let document = original;
  let subject = subjectOf(template, document, folderId, options);
  let proposals = proposalsFor(subject);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const changes = compatible(proposals.filter(isChange).filter((change) => !refused.has(keyOf(change))));
    if (changes.length === 0) break;
    document = apply(document, changes);
    const isDone = (change: Change) => !refused.has(keyOf(change));
    fixes.push(...changes.filter(isDone).map((change) => fixOf(change, subject.document, original)));
    subject = subjectOf(template, document, folderId, options);
    proposals = proposalsFor(subject);
  }
  return {
    text: document.head + document.body,
    fixes,
    unfixable: unfixableOf(subject, original, [
      ...proposals.filter(({ action }) => action === 'refuse'),
      ...refused.values(),
    ]),
  };
}

function subjectOf(
  template: TemplateDefinition,
  document: ReadDocument,
  folderId: string,
  options: FixOptions,
): Subject {
  const { data, body, lineOf } = document;
  const content = entityFromDocument(template, { data, body, folderId, lineOf });
  return { template, document, content, folderId, options };
}

function proposalsFor(subject: Subject): Proposal[] {
  const { kinds, removeDangling } = subject.options;
  const isAsked = ({ kind }: Proposal) =>
    kinds === null || kinds.has(kind) || (removeDangling && kind === 'dangling_reference');
  return withoutDoubtful(PROPOSERS.flatMap((propose) => propose(subject))).filter(isAsked);
}

/** A value that one kind of fix cannot decide is not left to a later one: `ada, bo` is no missing id. */
function withoutDoubtful(proposals: readonly Proposal[]): Proposal[] {
  const refused = new Set<string>();
  return proposals.filter(({ action, path }) => {
    const place = JSON.stringify(path);
    const isOpen = !refused.has(place);
    if (action === 'refuse') refused.add(place);
    return isOpen;
  });
}

const isChange = (proposal: Proposal): proposal is Change => proposal.action !== 'refuse';

const keyOf = ({ kind, path }: Proposal): string => JSON.stringify([kind, path]);

type Apply = (document: ReadDocument, changes: readonly Change[]) => ReadDocument;

/** Changes are made together. If that is impossible, halves of them are, down to those that are refused. */
function createApplier(
  template: TemplateDefinition,
  refuse: (change: Change, reason: string) => void,
): Apply {
  let edits = 0;
  const apply: Apply = (document, changes) => {
    edits += 1;
    const next = edits > MOST_EDITS ? TOO_MANY : attempt(template, document, changes);
    if (typeof next !== 'string') return next;
    if (changes.length === 1 || edits > MOST_EDITS) {
      for (const change of changes) refuse(change, next);
      return document;
    }
    const half = Math.ceil(changes.length / 2);
    return apply(apply(document, changes.slice(0, half)), changes.slice(half));
  };
  return apply;
}

/** Or why the file cannot be changed there. */
function attempt(
  template: TemplateDefinition,
  document: ReadDocument,
  changes: readonly Change[],
): ReadDocument | string {
  try {
    return applyChanges(template, document, changes);
  } catch (error) {
    if (error instanceof DocumentError) return error.problem.reason;
    throw error;
  }
}

/** If an earlier step moved items of the list, the fix names the field's line. */
function fixOf(change: Change, present: ReadDocument, original: ReadDocument): Fix {
  const { kind, path, reason } = change;
  const [key = ''] = path;
  const isNew = !Object.hasOwn(original.data, key);
  return {
    field: path.join('.'),
    kind,
    before: valueAt(present.data, path) ?? null,
    after: change.action === 'set' ? change.value : null,
    line: isNew ? null : original.lineOf(present === original ? path : [key]),
    reason,
  };
}

function unfixableOf(
  { document, content, options }: Subject,
  original: ReadDocument,
  refusals: readonly Proposal[],
): Unfixable[] {
  const shown = options.isPreview ? original : document;
  const named = refusals.map(({ kind, path, reason }): Unfixable => {
    const [key] = path;
    const isThere = key !== undefined && Object.hasOwn(shown.data, key);
    return {
      field: key === undefined ? null : path.join('.'),
      kind,
      value: key === undefined ? null : (valueAt(document.data, path) ?? null),
      line: isThere ? shown.lineOf(path) : null,
      reason,
    };
  });
  if (options.kinds !== null) return named;
  const fields = new Set(named.map(({ field }) => field));
  const isNamed = (path: string | null) =>
    fields.has(path) || parentsOf(path).some((parent) => fields.has(parent));
  const others = content.validation_errors.filter(({ field }) => !isNamed(field));
  return [
    ...named,
    ...others.map(({ field, line, message }) => ({
      field,
      kind: null,
      value: field === null ? null : (valueAt(document.data, field.split('.')) ?? null),
      line: line === undefined || field === null ? null : shown.lineOf(field.split('.')),
      reason: `${message}; only a person can tell what is meant`,
    })),
  ];
}

/** `a` and `a.b` of `a.b.c`. */
function parentsOf(path: string | null): string[] {
  const steps = path?.split('.') ?? [];
  return steps.slice(1).map((_step, index) => steps.slice(0, index + 1).join('.'));
}
