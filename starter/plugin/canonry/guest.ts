// Spares a guest the JSON of plugin.wit: write hooks and routes as ordinary functions.
import rawEntities from 'canonry:plugin/entities@1.0.0';
import rawEvents from 'canonry:plugin/events@1.0.0';
import type { EntityChange, Hooks as RawHooks, Severity } from 'canonry:plugin/hooks@1.0.0';
import rawHttp from 'canonry:plugin/http@1.0.0';
import rawKv from 'canonry:plugin/kv@1.0.0';
import rawLog from 'canonry:plugin/log@1.0.0';
import type { Request as RawRequest, Routes as RawRoutes, User } from 'canonry:plugin/routes@1.0.0';
import rawSettings from 'canonry:plugin/settings@1.0.0';
import type { Entity } from './entity.ts';

export type { Entity };

export interface Change {
  entityType: string;
  id: string;
  entity: Entity;
  /** Before this change; null if the entry is new, or checked without a change. */
  previous: Entity | null;
}

export interface Finding {
  message: string;
  /** `warning` if you say none. An `error` refuses the save. */
  severity?: Severity;
  /** Path of the field, such as `stats.strength`. */
  field?: string;
}

/** The parts of an entry that `onEntitySave` may change. */
export type Edit = Partial<Pick<Entity, 'name' | 'status' | 'fields' | 'markdown_body'>>;

/** An error that is thrown goes into the plugin's log, and the request goes on. */
export interface Hooks {
  /** The findings join the entry's own. Within 250 ms. */
  onEntityValidate?(change: Change): Finding[];
  /** Before the entry is written, within 250 ms. Return what to save instead, as `{ fields: { age: 40 } }`, or nothing. */
  onEntitySave?(change: Change): Edit | undefined;
  /** After it was created. Nobody waits for this hook and the next ones: they have 10 s. */
  onEntityCreate?(change: Change): void;
  /** After it was deleted; `entity` is its last state. */
  onEntityDelete?(change: Change): void;
  /** After the plugin was enabled in a project. */
  onProjectInit?(project: { id: string; name: string }): void;
}

export interface Request {
  method: string;
  /** The part of the address after `custom`, with its slash and without the query. */
  path: string;
  query: Record<string, string>;
  /** Names are in lower case. */
  headers: Record<string, string>;
  body: string | null;
  user: User;
}

export interface Response {
  /** 200 if you say none. */
  status?: number;
  headers?: Record<string, string>;
  /** A text is sent as it is, anything else as JSON. */
  body: unknown;
}

/** Values of other types would end the guest, and an error needs a text. */
function failing<Args extends unknown[], Result>(work: (...args: Args) => Result): (...args: Args) => Result {
  return (...args) => {
    try {
      return work(...args);
    } catch (error) {
      throw error instanceof Error ? `${error.message}\n${error.stack ?? ''}`.trim() : String(error);
    }
  };
}

const changeOf = ({ entityType, id, entity, previous }: EntityChange): Change => ({
  entityType,
  id,
  entity: JSON.parse(entity),
  previous: previous === null ? null : JSON.parse(previous),
});

const findingOf = ({ message, severity = 'warning', field }: Finding) => ({
  message: String(message),
  severity,
  field: field ?? null,
});

const edited = (entity: Entity, { fields, ...others }: Edit): string =>
  JSON.stringify({ ...entity, ...others, fields: { ...entity.fields, ...fields } });

/** For `export const hooks`. */
export function defineHooks(hooks: Hooks): RawHooks {
  return {
    onEntityValidate: failing((change) => (hooks.onEntityValidate?.(changeOf(change)) ?? []).map(findingOf)),
    onEntitySave: failing((change) => {
      const given = changeOf(change);
      const edit = hooks.onEntitySave?.(given);
      return edit ? edited(given.entity, edit) : null;
    }),
    onEntityCreate: failing((change) => hooks.onEntityCreate?.(changeOf(change))),
    onEntityDelete: failing((change) => hooks.onEntityDelete?.(changeOf(change))),
    onProjectInit: failing((project) => hooks.onProjectInit?.(JSON.parse(project))),
  };
}

/** For `export const routes`: answers requests to `/api/plugins/{id}/custom/…`, within 5 s. */
export function defineRoutes(handle: (request: Request) => Response): RawRoutes {
  return {
    handleRequest: failing((request) => {
      const { status = 200, headers = {}, body } = handle(requestOf(request));
      const isText = typeof body === 'string';
      const type = isText ? 'text/plain; charset=utf-8' : 'application/json';
      return {
        status,
        headers: Object.entries({ 'content-type': type, ...headers }),
        body: isText ? body : JSON.stringify(body ?? null),
      };
    }),
  };
}

function requestOf({ path, headers, ...others }: RawRequest): Request {
  const [before = '', search = ''] = path.split('?');
  const pairs = search.split('&').filter((pair) => pair !== '');
  return {
    ...others,
    path: before,
    query: Object.fromEntries(pairs.map(pairOf)),
    headers: Object.fromEntries(headers),
  };
}

function pairOf(text: string): [string, string] {
  const [name = '', ...value] = text.split('=');
  return [decoded(name), decoded(value.join('='))];
}

const decoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

/** Needs `entities:read`, and `write` `entities:write`. */
export const entities = {
  /** Null if it does not exist, or may not be read. */
  get(entityType: string, id: string): Entity | null {
    const json = rawEntities.get(entityType, id);
    return json === null ? null : JSON.parse(json);
  },
  /** At most 1,000, from the one that follows `after`. */
  listIds: (
    entityType: string,
    { limit = 1_000, after = null }: { limit?: number; after?: string | null } = {},
  ) => rawEntities.listIds(entityType, limit, after),
  search: (query: string, limit = 20) => rawEntities.search(query, limit),
  /** Changes the fields that are named. Returns the entry as it is then. */
  write: (entityType: string, id: string, fields: Record<string, unknown>): Entity =>
    JSON.parse(rawEntities.write(entityType, id, JSON.stringify(fields))),
};

/** The settings of the world by the keys of `plugin.json`, with defaults and secrets; none without `settings:read`. */
export const settings = <Values = Record<string, unknown>>(): Partial<Values> =>
  JSON.parse(rawSettings.get());

/** Keeps texts of up to 65,536 bytes; variables do not last, since an instance of a guest may end at any time. */
export const kv = rawKv;

/** Needs `events:emit`. */
export const events = {
  emit: (name: string, payload: unknown): void => rawEvents.emit(name, JSON.stringify(payload)),
};

/** Lines of the plugin's log, which admins read. */
export const log = {
  debug: (message: string): void => rawLog.log('debug', message),
  info: (message: string): void => rawLog.log('info', message),
  warn: (message: string): void => rawLog.log('warn', message),
  error: (message: string): void => rawLog.log('error', message),
};

export interface Asked {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Needs `http:<host>` in the permissions. */
export function request({ url, method = 'GET', headers = {}, body }: Asked) {
  const reply = rawHttp.request({ url, method, headers: Object.entries(headers), body: body ?? null });
  return { ...reply, headers: Object.fromEntries(reply.headers) };
}
