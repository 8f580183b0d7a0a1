import type { Names } from '../../data/use-names.ts';
import type { NameLookup } from './form/form-types.ts';

/** The names of the world as the form asks for them. */
export const lookupOf = (names: Names): NameLookup => ({
  search: (text, { types, limit }) => names.search(text, { limit, ...(types && { types }) }),
  find: (type, id) => names.find(type ?? undefined, id),
});
