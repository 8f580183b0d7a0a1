import { useMemo } from 'react';
import type { EntityPlace } from '../../domain/places.ts';
import { useVisit } from '../../kit/router/router.ts';

export interface Arrival {
  /** Dotted path. */
  field: string | undefined;
  /** Of the file, from 1. */
  line: number | undefined;
}

/** Where an address leads in the entity: another object for each visit, also to the same place. */
export function useArrivalAt({ field, line }: EntityPlace): Arrival {
  const visit = useVisit();
  return useMemo(() => ({ field, line, visit }), [field, line, visit]);
}
