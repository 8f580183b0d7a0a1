import { referencePlaces } from '../references/places.ts';
import type { FieldDefinition } from '../template/index.ts';
import type { Path, Subject } from './types.ts';
import { valueAt } from './value-at.ts';

export interface NamedEntity {
  path: Path;
  to_type: string;
  to_id: string;
  start: number;
  end: number;
  /** The list entry around it; null: the field holds a single id. */
  entry: Path | null;
}

const WHOLE_LINK = /^\s*\[\[[^\]]*\]\]\s*$/;

/** Without links inside longer texts. */
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

/** Null if the path leads through no reference field. */
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
