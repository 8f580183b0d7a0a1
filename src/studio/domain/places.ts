/** The screens of Studio and their addresses (docs/studio.md): project first, then type and id as in the API. */
export type Place =
  /** With the code of what went wrong at a sign-in with a provider. */
  | { screen: 'start'; error?: string }
  | { screen: 'welcome' }
  | { screen: 'account'; page: AccountPage; token?: string }
  | { screen: 'me'; page: MyPage }
  | { screen: 'worlds'; begin?: WorldStart }
  | { screen: 'home'; project: string }
  | { screen: 'list'; project: string; type: string }
  | { screen: 'new'; project: string; type: string; name?: string }
  | ({ screen: 'entity' } & EntityPlace)
  | { screen: 'page'; project: string; page: WorldPage; item?: string; q?: string }
  | { screen: 'plugin'; project: string; plugin: string; page: string }
  /** Where the form of a type is arranged. */
  | { screen: 'layout'; project: string; type: string }
  | { screen: 'unknown' };

export const ACCOUNT_PAGES = [
  'sign-in',
  'register',
  'forgot-password',
  'reset-password',
  'accept-invite',
] as const;
export type AccountPage = (typeof ACCOUNT_PAGES)[number];

export const MY_PAGES = ['appearance'] as const;
export type MyPage = (typeof MY_PAGES)[number];

/** The possible contents of a new world. */
export const WORLD_STARTS = ['sample', 'starter', 'empty'] as const;
export type WorldStart = (typeof WORLD_STARTS)[number];

/** Pages of a world that are not of a type. They stand behind `-`, which no type can be named. */
export const WORLD_PAGES = ['find', 'findings', 'conflicts', 'import', 'recycle-bin', 'plugins'] as const;
export type WorldPage = (typeof WORLD_PAGES)[number];

export const ENTITY_TABS = ['text', 'references', 'history'] as const;
/** `plugin:{plugin}:{panel}` is one of a plugin. */
export type EntityTab = (typeof ENTITY_TABS)[number] | `plugin:${string}`;

export interface EntityView {
  /** `text` unless named. */
  tab?: EntityTab;
  /** Dotted path of the field to go to. */
  field?: string;
  /** The line of the file to go to, from 1, as findings name it. */
  line?: number;
  /** The versions that the history compares. */
  versions?: VersionRange;
}

export interface VersionRange {
  from: number;
  to: number;
}

/** An entity, and what of it is shown. */
export interface EntityPlace extends EntityView {
  project: string;
  type: string;
  id: string;
}

const NOT_A_TYPE = '-';
/** Not below the type, where an entity may have this id. */
const NEW = 'new';
/** Pages of plugins stand behind it. */
const OF_PLUGIN = 'x';
const TYPES = 'types';
const LAYOUT = 'layout';

/** The address of a place, to which `placeOf` leads back. */
export function addressOf(place: Place): string {
  switch (place.screen) {
    case 'start':
      return withQuery('/', { error: place.error });
    case 'account':
      return withQuery(`/${place.page}`, { token: place.token });
    case 'me':
      return `/me/${place.page}`;
    case 'worlds':
      return withQuery('/w', { begin: place.begin });
    case 'home':
      return pathOf(place.project);
    case 'list':
      return pathOf(place.project, place.type);
    case 'new':
      return withQuery(pathOf(place.project, NOT_A_TYPE, NEW, place.type), { name: place.name });
    case 'entity':
      return withQuery(pathOf(place.project, place.type, place.id), viewOf(place));
    case 'page':
      return withQuery(
        pathOf(place.project, NOT_A_TYPE, place.page, ...(place.item === undefined ? [] : [place.item])),
        { q: place.q },
      );
    case 'plugin':
      return pathOf(place.project, NOT_A_TYPE, OF_PLUGIN, place.plugin, place.page);
    case 'layout':
      return pathOf(place.project, NOT_A_TYPE, TYPES, place.type, LAYOUT);
    default:
      return '/welcome';
  }
}

/** The place at an address; `search` is its query, with or without `?`. */
export function placeOf(path: string, search: string): Place {
  const parts = path.split('/').filter(Boolean).map(decoded);
  const query = new URLSearchParams(search);
  const [first, second] = parts;
  if (first === undefined) return { screen: 'start', ...textIn(query, 'error') };
  if (first === 'welcome' && parts.length === 1) return { screen: 'welcome' };
  if (parts.length === 1 && isOne(ACCOUNT_PAGES, first)) {
    return { screen: 'account', page: first, ...textIn(query, 'token') };
  }
  if (first === 'me' && parts.length === 2 && isOne(MY_PAGES, second)) return { screen: 'me', page: second };
  if (first === 'w') return worldPlaceOf(parts.slice(1), query);
  return { screen: 'unknown' };
}

function worldPlaceOf(parts: readonly string[], query: URLSearchParams): Place {
  const [project, type, id, item, page] = parts;
  if (project === undefined) return { screen: 'worlds', ...beginIn(query) };
  if (type === undefined) return { screen: 'home', project };
  if (type === NOT_A_TYPE) {
    if (id === NEW && item !== undefined && parts.length === 4)
      return { screen: 'new', project, type: item, ...textIn(query, 'name') };
    if (id === OF_PLUGIN && item !== undefined && page !== undefined && parts.length === 5)
      return { screen: 'plugin', project, plugin: item, page };
    if (id === TYPES && item !== undefined && page === LAYOUT && parts.length === 5)
      return { screen: 'layout', project, type: item };
    if (!isOne(WORLD_PAGES, id) || parts.length > 4) return { screen: 'unknown' };
    return { screen: 'page', project, page: id, ...(item !== undefined && { item }), ...textIn(query, 'q') };
  }
  if (parts.length > 3) return { screen: 'unknown' };
  if (id === undefined) return { screen: 'list', project, type };
  return { screen: 'entity', project, type, id, ...entityViewIn(query) };
}

function beginIn(query: URLSearchParams): { begin?: WorldStart } {
  const begin = query.get('begin');
  return isOne(WORLD_STARTS, begin) ? { begin } : {};
}

function entityViewIn(query: URLSearchParams): EntityView {
  const tab = query.get('tab');
  const line = Number(query.get('line'));
  return {
    ...((isOne(ENTITY_TABS, tab) || isPluginTab(tab)) && { tab }),
    ...textIn(query, 'field'),
    ...(Number.isSafeInteger(line) && line > 0 && { line }),
    ...versionsIn(query),
  };
}

const isPluginTab = (tab: string | null): tab is `plugin:${string}` => tab?.startsWith('plugin:') === true;

const VERSIONS = /^([1-9]\d{0,8})\.\.([1-9]\d{0,8})$/;

function versionsIn(query: URLSearchParams): { versions?: VersionRange } {
  const [, from, to] = VERSIONS.exec(query.get('v') ?? '') ?? [];
  return from === undefined ? {} : { versions: { from: Number(from), to: Number(to) } };
}

const viewOf = ({ tab, field, line, versions }: EntityView) => ({
  tab,
  field,
  line: line?.toString(),
  v: versions && `${versions.from}..${versions.to}`,
});

function textIn<Name extends string>(query: URLSearchParams, name: Name): { [K in Name]?: string } {
  const text = query.get(name);
  return (text === null || text === '' ? {} : { [name]: text }) as { [K in Name]?: string };
}

const pathOf = (...parts: string[]): string => `/w/${parts.map(encodeURIComponent).join('/')}`;

function withQuery(path: string, given: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && value !== '') query.set(name, value);
  return query.size === 0 ? path : `${path}?${query}`;
}

/** An address that nobody escaped correctly is taken as it stands. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const isOne = <T extends string>(all: readonly T[], text: string | null | undefined): text is T =>
  (all as readonly (string | null | undefined)[]).includes(text);
