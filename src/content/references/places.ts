import { isMap } from '../../text/json.ts';
import { compiled } from '../entity/compiled.ts';
import { type NamedPlaces, namedPlaces, pathKey } from '../rules/named.ts';
import { type FieldDefinition, isPlaceholder, type TemplateDefinition } from '../template/index.ts';
import { idKeyOf } from './id-key.ts';
import { LONGEST_ID, linksOf } from './links.ts';
import type { ReferencePlace, ReferringContent } from './types.ts';

const BODY = 'markdown_body';

/** No real file has more; further ones are ignored. */
const MOST_PLACES = 10_000;

/** With the places where rules expect references, and the callback for each one found. */
interface Search {
  ruled: NamedPlaces;
  found(place: ReferencePlace): void;
}
type Path = readonly (string | number)[];

/** `name` is the field's path without list indexes. */
interface Spot {
  field: FieldDefinition | undefined;
  name: string;
  path: Path;
}

/** In own fields and body, in the file's order: links, and values that the template or a rule declares to be references. */
export function referencePlaces(template: TemplateDefinition, content: ReferringContent): ReferencePlace[] {
  const places: ReferencePlace[] = [];
  const search: Search = {
    ruled: namedPlaces(template, content.own_fields),
    found: (place) => {
      if (places.length < MOST_PLACES) places.push(place);
    },
  };
  const { byName } = compiled(template);
  for (const [name, value] of Object.entries(content.own_fields)) {
    walk({ field: byName.get(name), name, path: [name] }, value, search);
  }
  findLinks(content.markdown_body, { name: BODY, path: null, type: null }, search);
  return places;
}

function walk(spot: Spot, value: unknown, search: Search): void {
  if (typeof value === 'string') readText(spot, value, search);
  else if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) {
      walk({ ...spot, path: [...spot.path, index] }, entry, search);
    }
  } else if (isMap(value)) walkMap(spot, value, search);
}

function walkMap({ field, name, path }: Spot, map: Record<string, unknown>, search: Search): void {
  const idKey = field?.reference_type === undefined ? undefined : idKeyOf(field.reference_type, map);
  for (const [key, value] of Object.entries(map)) {
    const property = field?.properties?.find((candidate) => candidate.name === key);
    const typed = property?.reference_type !== undefined || key !== idKey;
    walk({ field: typed ? property : field, name: `${name}.${key}`, path: [...path, key] }, value, search);
  }
}

function readText({ field, name, path }: Spot, text: string, search: Search): void {
  const ruled = search.ruled.size === 0 ? undefined : search.ruled.get(pathKey(path));
  const type = field?.reference_type ?? ruled ?? null;
  if (text.includes('[[')) {
    findLinks(text, { name, path, type }, search);
    return;
  }
  const id = text.trim();
  const isReference = type !== null || ruled !== undefined;
  if (!isReference || id === '' || id.length > LONGEST_ID || isPlaceholder(id)) return;
  const start = text.indexOf(id);
  search.found({
    field: name,
    kind: 'field',
    to_type: type,
    to_id: id,
    path,
    start,
    end: start + id.length,
  });
}

function findLinks(
  text: string,
  { name, path, type }: { name: string; path: Path | null; type: string | null },
  search: Search,
): void {
  for (const link of linksOf(text)) {
    search.found({
      field: name,
      kind: 'link',
      to_type: link.type ?? type,
      to_id: link.id,
      path,
      start: link.start,
      end: link.end,
    });
  }
}
