import { entityFromDocument } from '../entity/index.ts';
import { DocumentError, editDocument, readDocument } from '../frontmatter/index.ts';
import { applySplices } from '../frontmatter/splice.ts';
import type { TemplateDefinition } from '../template/index.ts';
import { referencePlaces } from './places.ts';
import type { ReferencePlace } from './types.ts';

export interface ReferenceChange {
  entity_type: string;
  from: string;
  to: string;
  /**
   * Links without a type: `leave` if they mean another entity or it is unclear, `rename` if they mean this one, `qualify`
   * to add the type because entities of other types have the new id too.
   */
  untyped: 'leave' | 'rename' | 'qualify';
}

/**
 * In fields and links, each link with its label. Everything else stays byte for byte. Throws DocumentError for an
 * unreadable file, or a field that cannot be edited losslessly.
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

/** Those of one string together. */
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
