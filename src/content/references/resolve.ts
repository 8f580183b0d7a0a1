import { asciiWords } from '../../text/letters.ts';
import type { Reference } from './types.ts';

/** Without a type, several entities may share the id. */
export type ReferenceState = 'found' | 'missing' | 'ambiguous';

export interface Resolution<Node> {
  state: ReferenceState;
  to: Node | null;
  /** The entities that share the id, or else those of that id under another type or named like it. */
  candidates: Node[];
}

interface Named {
  entity_type: string;
  entity_id: string;
}

/** `Mira Vale` → `mira_vale`. Links hold ids; this finds the target of one that holds a name. */
export const idFromName = (name: string): string => asciiWords(name, '_');

export const idsToResolve = (references: Iterable<Pick<Reference, 'to_id'>>): string[] => {
  const ids = new Set<string>();
  for (const { to_id } of references) {
    ids.add(to_id);
    const meant = idFromName(to_id);
    if (meant !== '') ids.add(meant);
  }
  return [...ids];
};

/** Among the project's entities with one of `idsToResolve`, by id. */
export function resolveReference<Node extends Named>(
  { to_type, to_id }: Pick<Reference, 'to_type' | 'to_id'>,
  byId: ReadonlyMap<string, readonly Node[]>,
): Resolution<Node> {
  const named = byId.get(to_id) ?? [];
  const fitting = to_type === null ? named : named.filter(({ entity_type }) => entity_type === to_type);
  const [only] = fitting;
  if (only === undefined) {
    const meant = named.length > 0 ? named : (byId.get(idFromName(to_id)) ?? []);
    return { state: 'missing', to: null, candidates: [...meant] };
  }
  if (fitting.length > 1) return { state: 'ambiguous', to: null, candidates: [...fitting] };
  return { state: 'found', to: only, candidates: [] };
}
