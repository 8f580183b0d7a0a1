import { useEffect, useRef } from 'react';
import { createStore, useStore } from '../../data/store.ts';
import type { JsonSchema } from '../../domain/form-field.ts';
import { layoutOf } from '../../domain/form-layout.ts';
import { formModelOf } from '../../domain/form-model.ts';
import { FieldGroup } from './form/field-group.tsx';
import type { Arrangement } from './form/form-types.ts';

const BY_TEMPLATE: Arrangement = { groupsOf: formModelOf, Group: FieldGroup };

const loadByLayout = async () => (await import('./layout/by-layout.ts')).BY_LAYOUT;
/** Null until a layout is needed; by the template where layouts cannot be loaded. */
const loaded = createStore<Arrangement | null>(null);

/** False where the form stands in for one with a layout, so that what the layout places has no place in it. */
export const useArranges = (): boolean => useStore(loaded) !== BY_TEMPLATE;

/**
 * How the form of a type is arranged; null while that is on its way. A form that is shown already stays until then, and one
 * whose layout cannot be loaded has all fields as the template has them.
 */
export function useArrangement(schema: JsonSchema | undefined): Arrangement | null {
  const hasLayout = Boolean(layoutOf(schema));
  const arranged = useStore(loaded);
  const shown = useRef<Arrangement>(null);
  useEffect(() => {
    if (hasLayout) loadByLayout().then(loaded.set, () => loaded.set(BY_TEMPLATE));
  }, [hasLayout]);
  const next = hasLayout ? (arranged ?? shown.current) : BY_TEMPLATE;
  if (schema) shown.current = next;
  return next;
}
