import { useEffect, useRef, useState } from 'react';
import type { JsonSchema } from '../../domain/form-field.ts';
import { layoutOf } from '../../domain/form-layout.ts';
import { formModelOf } from '../../domain/form-model.ts';
import { FieldGroup } from './form/field-group.tsx';
import type { Arrangement } from './form/form-types.ts';

const BY_TEMPLATE: Arrangement = { groupsOf: formModelOf, Group: FieldGroup };

const loadByLayout = async () => (await import('./layout/by-layout.ts')).BY_LAYOUT;
let byLayout: Arrangement | null = null;

/**
 * How the form of a type is arranged; null while that is on its way. A form that is shown already stays until then, and one
 * whose layout cannot be loaded has all fields as the template has them.
 */
export function useArrangement(schema: JsonSchema | undefined): Arrangement | null {
  const hasLayout = Boolean(layoutOf(schema));
  const [loaded, setLoaded] = useState(byLayout);
  const shown = useRef<Arrangement>(null);
  useEffect(() => {
    if (!hasLayout) return;
    const done = (next: Arrangement) => {
      byLayout = next;
      setLoaded(next);
    };
    loadByLayout().then(done, () => setLoaded(BY_TEMPLATE));
  }, [hasLayout]);
  const next = hasLayout ? (loaded ?? shown.current) : BY_TEMPLATE;
  if (schema) shown.current = next;
  return next;
}
