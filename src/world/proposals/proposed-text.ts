import { applyHunks, type BodyHunk } from '../../content/ai/index.ts';
import { entityDataEdit } from '../../content/entity/index.ts';
import {
  changeDocument,
  editDocument,
  type ReadDocument,
  readDocument,
} from '../../content/frontmatter/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import type { Choice } from './parts.ts';
import type { ProposedField } from './proposal.ts';

/** Fields and hunks that a proposal would change. */
export interface Content {
  fields: Readonly<Record<string, ProposedField>>;
  hunks: readonly BodyHunk[];
}

/** The base with the chosen parts; every other line stays as it is. Throws DocumentError for what no file could hold. */
export function documentWith(
  template: TemplateDefinition,
  base: ReadDocument,
  { fields, hunks }: Content,
  choice: Choice,
): ReadDocument {
  const chosen = Object.entries(fields).flatMap(([name, { after }]) =>
    choice.fields.has(name) ? [[name, after] as const] : [],
  );
  const { name, status, ...others } = Object.fromEntries(chosen.filter(([, after]) => after !== null));
  const { set, after } = entityDataEdit(template, base.data, {
    ...(typeof name === 'string' && { name }),
    ...(typeof status === 'string' && { status }),
    fields: others,
    today: '',
  });
  // The date of the acceptance is no part of the proposal: see `stamped`.
  const { last_updated: _, ...own } = set;
  const unset = chosen.flatMap(([field, value]) => (value === null ? [field] : []));
  const body = applyHunks(
    base.body,
    hunks.filter(({ id }) => choice.hunks.has(id)),
  );
  return changeDocument(base, { set: own, unset, after, body });
}

export function textWith(
  template: TemplateDefinition,
  base: string,
  content: Content,
  choice: Choice,
): string {
  const document = readDocument(base);
  if (!document.ok) throw new Error('the base of a proposal is not readable');
  const { head, body } = documentWith(template, document, content, choice);
  return head + body;
}

/** With today's date (`YYYY-MM-DD`), if the file has one, as every save writes it. */
export function stamped(text: string, today: string): string {
  const document = readDocument(text);
  const isDated = document.ok && Object.hasOwn(document.data, 'last_updated');
  return isDated && document.data.last_updated !== today
    ? editDocument(text, { set: { last_updated: today } })
    : text;
}
