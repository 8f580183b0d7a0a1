import { readDocument } from '../../src/content/frontmatter/index.ts';

const ATTRIBUTES = new Set(['id', 'entity_type', 'template_version', 'created_date', 'status', 'name']);

/** The own fields and the body of an entity's file, as a client would send them. */
export function readEntityFields(text: string): { fields: Record<string, unknown>; body: string } {
  const document = readDocument(text);
  if (!document.ok) throw new Error(document.problem.reason);
  const fields = Object.fromEntries(Object.entries(document.data).filter(([key]) => !ATTRIBUTES.has(key)));
  return { fields, body: document.body };
}
