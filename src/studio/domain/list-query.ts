/** The filters, order and columns of a list, as its address says them (docs/studio.md). */
export interface ListQuery {
  /** Words that must all occur. */
  text: string;
  status: string | null;
  sort: SortColumn;
  isDescending: boolean;
  /** Values of fields, by dotted path. */
  filters: Readonly<Record<string, string>>;
  /** Dotted paths of fields; null: the ones that the type begins with. */
  columns: readonly string[] | null;
}

export const SORT_COLUMNS = ['name', 'status', 'updated_at', 'created_at'] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];

export const EVERYTHING: ListQuery = {
  text: '',
  status: null,
  sort: 'name',
  isDescending: false,
  filters: {},
  columns: null,
};

const FILTER = 'f.';

export function listQueryOf(search: string): ListQuery {
  const query = new URLSearchParams(search);
  const sort = query.get('sort') ?? '';
  const column = sort.replace(/^-/, '');
  const columns = query.get('cols');
  return {
    text: query.get('q') ?? '',
    status: query.get('status'),
    sort: isSortColumn(column) ? column : EVERYTHING.sort,
    isDescending: isSortColumn(column) && sort.startsWith('-'),
    filters: Object.fromEntries(
      [...query].flatMap(([name, value]) =>
        name.startsWith(FILTER) && name.length > FILTER.length ? [[name.slice(FILTER.length), value]] : [],
      ),
    ),
    columns: columns === null ? null : columns.split(',').filter(Boolean),
  };
}

/** The query of an address, without `?`; empty for a list of everything in its usual order. */
export function searchOf({ text, status, sort, isDescending, filters, columns }: ListQuery): string {
  const query = new URLSearchParams();
  if (text !== '') query.set('q', text);
  if (status !== null) query.set('status', status);
  if (sort !== EVERYTHING.sort || isDescending) query.set('sort', `${isDescending ? '-' : ''}${sort}`);
  for (const [path, value] of Object.entries(filters)) query.set(`${FILTER}${path}`, value);
  if (columns !== null) query.set('cols', columns.join(','));
  return query.toString();
}

/** The same query for `GET /api/entity/{type}`. */
export function apiQueryOf({ text, status, sort, isDescending, filters }: ListQuery) {
  return {
    ...(text !== '' && { search: text }),
    ...(isStatus(status) && { status }),
    sort_by: sort,
    sort_order: isDescending ? ('desc' as const) : ('asc' as const),
    ...Object.fromEntries(
      Object.entries(filters).map(([path, value]) => [`filter[${path}]` as const, value]),
    ),
  };
}

export const ENTITY_STATUSES = ['active', 'draft', 'archived'] as const;
export type EntityStatus = (typeof ENTITY_STATUSES)[number];

const isStatus = (text: string | null): text is EntityStatus =>
  (ENTITY_STATUSES as readonly (string | null)[]).includes(text);

const isSortColumn = (text: string): text is SortColumn => (SORT_COLUMNS as readonly string[]).includes(text);
