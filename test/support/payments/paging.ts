import { missing } from './api-error.ts';
import { type FormTree, numberOf, textOf } from './form.ts';
import type { ListOf } from './objects.ts';

const USUAL_LIMIT = 10;

/** Newest first. */
export function pageOf<Item extends { id: string }>(
  items: Iterable<Item>,
  params: FormTree,
  url: string,
): ListOf<Item> {
  const newestFirst = [...items].reverse();
  const after = textOf(params, 'starting_after');
  const at = after === undefined ? -1 : newestFirst.findIndex(({ id }) => id === after);
  if (after !== undefined && at === -1) throw missing('object', after, 'starting_after', 400);
  const limit = numberOf(params, 'limit') ?? USUAL_LIMIT;
  const data = newestFirst.slice(at + 1, at + 1 + limit);
  return { object: 'list', data, has_more: at + 1 + limit < newestFirst.length, url };
}

/** The object, or 404. */
export function get<Item>(all: Map<string, Item>, what: string, id: string, param = 'id'): Item {
  const found = all.get(id);
  if (found === undefined) throw missing(what, id, param, param === 'id' ? 404 : 400);
  return found;
}
