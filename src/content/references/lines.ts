import { entityFromDocument } from '../entity/index.ts';
import { readDocument } from '../frontmatter/index.ts';
import type { TemplateDefinition } from '../template/index.ts';
import { referencePlaces } from './places.ts';
import type { Reference } from './types.ts';

const breaksIn = (text: string): number => text.split('\n').length - 1;

/** From 1; null for a reference that the text does not hold. */
export function linesOfReferences(
  template: TemplateDefinition,
  text: string,
  references: readonly Reference[],
): (number | null)[] {
  const document = readDocument(text);
  if (!document.ok) return references.map(() => null);
  const { data, head, body, lineOf } = document;
  const places = referencePlaces(template, entityFromDocument(template, { data, body, folderId: '' }));
  return references.map((reference) => {
    const place = places.find(
      ({ field, kind, to_type, to_id }) =>
        field === reference.field &&
        kind === reference.kind &&
        to_type === reference.to_type &&
        to_id === reference.to_id,
    );
    if (place === undefined) return null;
    if (place.path !== null) return lineOf(place.path);
    return breaksIn(head) + breaksIn(body.slice(0, place.start)) + 1;
  });
}
