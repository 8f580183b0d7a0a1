import { entityFromDocument } from '../entity/index.ts';
import { DocumentError, editDocument, readDocument } from '../frontmatter/index.ts';
import { applySplices } from '../frontmatter/splice.ts';
import type { TemplateDefinition } from '../template/index.ts';
import { referencePlaces } from './places.ts';
import type { ReferencePlace } from './types.ts';

/** An entity's new id, and the treatment of links that name its old id without a type. */
export interface ReferenceChange {
  entity_type: string;
  from: string;
  to: string;
  /**
   * `leave`: such links mean another entity, or nobody knows which. `rename`: they mean this one and follow.
   * `qualify`: they follow and get the type, since entities of other types have the new id too.
   */
  untyped: 'leave' | 'rename' | 'qualify';
}

/**
 * The text of a file whose references follow an entity to its new id: in fields and in links, each link with its
 * label. Everything else stays byte for byte; a file that does not refer to the entity comes back as it is.
 * Throws DocumentError for a file that cannot be read, or a field that cannot be edited losslessly.
 */
export function rewriteReferences(
  template: TemplateDefinition,
  text: string,
  change: ReferenceChange,
): string {
  const document = readDocument(text);
  if (!document.ok) throw new DocumentError(document.problem);
  const { data, body } = document;
  const content = entityFromDocument(template, { data, body, folderId: '' });
  const places = referencePlaces(template, content).filter((place) => isMeant(place, change));
  if (places.length === 0) return text;
  const inBody = places.filter(({ path }) => path === null);
  const setIn = [...byPath(places)].map((spots) => rewrittenField(data, spots, change));
  return editDocument(text, { setIn, body: rewritten(body, inBody, change) });
}

function isMeant({ to_type, to_id }: ReferencePlace, change: ReferenceChange): boolean {
  if (to_id !== change.from) return false;
  return to_type === null ? change.untyped !== 'leave' : to_type === change.entity_type;
}

/** Places in fields, those of one string together. */
function byPath(places: readonly ReferencePlace[]): Iterable<ReferencePlace[]> {
  const inFields = places.filter(({ path }) => path !== null);
  return Map.groupBy(inFields, ({ path }) => JSON.stringify(path)).values();
}

function rewrittenField(
  data: Record<string, unknown>,
  places: readonly ReferencePlace[],
  change: ReferenceChange,
): { path: string[]; value: string } {
  const path = places[0]?.path ?? [];
  const value = path.reduce<unknown>((at, step) => (at as Record<string | number, unknown>)[step], data);
  return { path: path.map(String), value: rewritten(String(value), places, change) };
}

function rewritten(text: string, places: readonly ReferencePlace[], change: ReferenceChange): string {
  const splices = places.map(({ start, end, to_type }) => {
    const qualified = to_type === null && change.untyped === 'qualify';
    return { start, end, text: qualified ? `${change.entity_type}:${change.to}` : change.to };
  });
  return applySplices(text, splices) ?? text;
}
