import { referencePlaces } from '../references/places.ts';
import type { FieldDefinition } from '../template/index.ts';
import type { Path, Subject } from './types.ts';
import { valueAt } from './value-at.ts';

/** One id that a reference field names. */
export interface NamedEntity {
  path: Path;
  to_type: string;
  to_id: string;
  /** Where the id stands in the text at `path`. */
  start: number;
  end: number;
  /** The list entry that names it and nothing else, or with words of its own; null: the field holds one id. */
  entry: Path | null;
}

const WHOLE_LINK = /^\s*\[\[[^\]]*\]\]\s*$/;

/** The ids that an entity's reference fields name; links within longer texts are no part of it. */
export function namedEntities({ template, content }: Subject): NamedEntity[] {
  const places = referencePlaces(template, { own_fields: content.own_fields, markdown_body: '' });
  return places.flatMap(({ path, kind, to_type, to_id, start, end }) => {
    if (path === null || to_type === null) return [];
    const inside = pathInReference(template.fields, path);
    if (inside === null) return [];
    const isWhole = kind === 'field' || (isInField(inside) && isLink(valueAt(content.own_fields, path)));
    if (!isWhole) return [];
    const entry = typeof inside[0] === 'number' ? path.slice(0, path.length - inside.length + 1) : null;
    return [{ path, to_type, to_id, start, end, entry }];
  });
}

const isInField = (inside: Path): boolean => inside.every((step) => typeof step === 'number');
const isLink = (value: unknown): boolean => typeof value === 'string' && WHOLE_LINK.test(value);

/** The part of a path below the reference field that it leads through; null where it leads through none. */
function pathInReference(fields: readonly FieldDefinition[], path: Path): Path | null {
  let known: readonly FieldDefinition[] | undefined = fields;
  let inside: Path | null = null;
  for (const [index, step] of path.entries()) {
    if (typeof step === 'number') continue;
    const field: FieldDefinition | undefined = known?.find(({ name }) => name === step);
    if (field?.reference_type !== undefined) inside = path.slice(index + 1);
    known = field?.properties;
  }
  return inside;
}
