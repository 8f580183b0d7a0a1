import type { FormField } from '../../../../domain/form-field.ts';
import { type ReferenceEntry, referencesIn } from '../../../../domain/reference-value.ts';
import type { FormServices, NamedEntity } from '../form-types.ts';

/** One reference as it is shown. */
export interface ShownReference {
  /** Its place in the list, as text. */
  key: string;
  entry: ReferenceEntry;
  /** Undefined for one that does not exist. */
  entity: NamedEntity | undefined;
  label: string;
}

export function shownReferences(field: FormField, value: unknown, { names }: FormServices): ShownReference[] {
  return (referencesIn(field, value) ?? []).map((entry, index) => {
    const entity = entry.id === null ? undefined : names.find(entry.type, entry.id);
    const label = entity?.name ?? entry.id ?? JSON.stringify(entry.raw) ?? '';
    return { key: String(index), entry, entity, label };
  });
}
