export interface NamedEntity {
  entity_type: string;
  entity_id: string;
  name: string;
}

export interface Reference {
  field: string;
  from: NamedEntity;
  to_type: string | null;
  to_id: string;
  state: 'found' | 'missing' | 'ambiguous';
  to: NamedEntity | null;
  candidates: readonly NamedEntity[];
  file?: string;
  line?: number | null;
}

export type Direction = 'in' | 'out';

export interface ReferenceGroup {
  /** Of the entities at the other end. */
  type: string;
  field: string;
  entities: readonly NamedEntity[];
}

/** The references that lead somewhere, by the type at their other end and their field; each entity once in a group. */
export function referenceGroups(references: readonly Reference[], direction: Direction): ReferenceGroup[] {
  const groups = new Map<string, { type: string; field: string; entities: Map<string, NamedEntity> }>();
  for (const reference of references) {
    const end = direction === 'in' ? reference.from : reference.to;
    if (!end || (direction === 'out' && reference.state !== 'found')) continue;
    const field = fieldWithoutPlaces(reference.field);
    const key = `${end.entity_type} ${field}`;
    const group = groups.get(key) ?? { type: end.entity_type, field, entities: new Map() };
    group.entities.set(end.entity_id, end);
    groups.set(key, group);
  }
  return [...groups.values()]
    .map(({ type, field, entities }) => ({ type, field, entities: [...entities.values()] }))
    .sort((one, other) => one.type.localeCompare(other.type) || one.field.localeCompare(other.field));
}

/** `participants.3` stands in `participants`. */
const fieldWithoutPlaces = (path: string): string => path.replaceAll(/\.\d+(?=\.|$)/g, '');

/** The references of an entity that lead nowhere, or to more than one; each once. */
export function openReferences(references: readonly Reference[]): Reference[] {
  const open = new Map<string, Reference>();
  for (const reference of references) {
    if (reference.state === 'found') continue;
    const key = `${fieldWithoutPlaces(reference.field)} ${reference.to_type ?? ''} ${reference.to_id}`;
    if (!open.has(key)) open.set(key, reference);
  }
  return [...open.values()];
}
