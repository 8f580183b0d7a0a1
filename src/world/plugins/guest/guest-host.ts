import { parseSearchQuery } from '../../../content/search-text.ts';
import { HttpError } from '../../../kit/errors.ts';
import { checkStorable } from '../../../kit/http/json-body.ts';
import { type GuestHost, GuestRefusal } from '../../../platform/guests/host.ts';
import { isMap, type JsonMap } from '../../../text/json.ts';
import type { Author, Entities } from '../../entities/index.ts';
import type { Project } from '../../records/index.ts';
import type { PluginSettings } from '../plugin-settings.service.ts';
import { grantedHosts, isGranted, type RunningPlugin } from '../plugin-view.ts';
import type { CallLines } from './call-lines.ts';
import { findEntityJson, idsOfType } from './entity-reads.store.ts';
import type { GuestRequests } from './guest-requests.ts';
import { createGuestValues } from './values.ts';

const MOST_IDS = 1_000;
const MOST_HITS = 100;
const EVENT_NAME = /^[a-z][a-z0-9_.-]{0,63}$/;
const LARGEST_EVENT = 65_536;
const MOST_EVENTS = 100;

export interface EmittedEvent {
  name: string;
  payload: unknown;
}

export interface HostOptions {
  entities: Entities;
  requests: GuestRequests;
  settings: PluginSettings;
}

/** The author of changes, or the reason why none may be made; `isReader` for a caller who may change nothing at all. */
export type GuestAuthor = Author | { refusal: string; isReader?: true };

export interface HostCall {
  project: Project;
  plugin: RunningPlugin;
  author: GuestAuthor;
  lines: CallLines;
  /** Aborts when the call has ended. */
  signal: AbortSignal;
}

/** The functions of the host for one call. The guest's words and events are collected, for after the call. */
export function createGuestHost({ entities, requests, settings }: HostOptions, call: HostCall) {
  const { project, plugin, author, lines, signal } = call;
  const emitted: EmittedEvent[] = [];
  const mayRead = isGranted(plugin, 'entities:read');
  const values = createGuestValues(project, plugin.folder.id);

  /** A caller who may change nothing changes nothing by way of a plugin. */
  function requireChanges(): void {
    if ('refusal' in author && author.isReader) throw new GuestRefusal(author.refusal);
  }

  async function tried<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof GuestRefusal) lines.refused(`It could not ${what}: ${error.message}`);
      throw error;
    }
  }

  async function write(entityType: string, id: string, fields: JsonMap): Promise<string> {
    if (!isGranted(plugin, 'entities:write'))
      throw new GuestRefusal('the permission entities:write was not granted');
    if ('refusal' in author) throw new GuestRefusal(author.refusal);
    try {
      await entities.update(project, entityType, id, { fields }, { ...author, guest: plugin.folder.id });
    } catch (error) {
      if (error instanceof HttpError && error.status < 500) throw new GuestRefusal(error.message);
      throw error;
    }
    return (await findEntityJson(project, entityType, id)) ?? 'null';
  }

  async function search(query: string, limit: number) {
    if (!mayRead) return [];
    const phrases = parseSearchQuery(query);
    const lists = await entities.search(project, {
      phrases,
      entityTypes: null,
      limit: Math.min(limit, MOST_HITS),
    });
    return lists
      .flatMap(({ rows }) => rows)
      .slice(0, limit)
      .map((row) => hitOf(JSON.parse(row)));
  }

  function emit(name: string, payload: string): void {
    requireChanges();
    if (!isGranted(plugin, 'events:emit'))
      throw new GuestRefusal('the permission events:emit was not granted');
    if (!EVENT_NAME.test(name))
      throw new GuestRefusal(`the name of an event must match ${EVENT_NAME.source}`);
    if (Buffer.byteLength(payload) > LARGEST_EVENT)
      throw new GuestRefusal(`a payload has at most ${LARGEST_EVENT} bytes`);
    if (emitted.length >= MOST_EVENTS) throw new GuestRefusal(`a call emits at most ${MOST_EVENTS} events`);
    emitted.push({ name, payload: jsonOf(payload) });
  }

  const host: GuestHost = {
    log: (level, message) => lines.add({ level, kind: 'said', message }),
    entities: {
      get: async (entityType, id) => (mayRead ? findEntityJson(project, entityType, id) : null),
      listIds: async (entityType, limit, after) =>
        mayRead ? idsOfType(project, entityType, { after, limit: Math.min(limit, MOST_IDS) }) : [],
      search,
      async write(entityType, id, patch) {
        const fields = jsonMap(patch);
        const entity = `${shortened(entityType)}/${shortened(id)}`;
        const written = await tried(`change ${entity}`, () => write(entityType, id, fields));
        lines.did(`It changed ${entity}: ${Object.keys(fields).join(', ')}`);
        return written;
      },
    },
    settings: {
      async get() {
        if (!isGranted(plugin, 'settings:read')) return '{}';
        const fields = plugin.manifest.settings.global;
        const place = { project, pluginId: plugin.folder.id, fields, holder: 'global' } as const;
        return JSON.stringify(await settings.open(place));
      },
    },
    kv: {
      ...values,
      async set(key, value) {
        requireChanges();
        await values.set(key, value);
      },
      async delete(key) {
        if (!('refusal' in author && author.isReader)) await values.delete(key);
      },
    },
    events: {
      emit: (name, payload) => tried('emit an event', async () => emit(name, payload)),
    },
    http: {
      async request(request) {
        const host = URL.parse(request.url)?.host ?? 'an address that is none';
        const sent = `${shortened(request.method)} to ${shortened(host)}`;
        const response = await tried(`send ${sent}`, async () => {
          requireChanges();
          return requests(grantedHosts(plugin), request, signal);
        });
        lines.did(`It sent ${sent}, which answered ${response.status}`);
        return response;
      },
    },
  };
  return { host, emitted };
}

/** A guest may pass names of a megabyte. */
const shortened = (name: string): string => name.slice(0, 100);

function jsonOf(text: string): unknown {
  const value = parsed(text);
  try {
    checkStorable(value);
  } catch (error) {
    throw error instanceof HttpError ? new GuestRefusal(error.message) : error;
  }
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new GuestRefusal('this is no JSON');
  }
}

function jsonMap(text: string): JsonMap {
  const value = jsonOf(text);
  if (isMap(value)) return value;
  throw new GuestRefusal('a patch is a JSON object');
}

const hitOf = ({ entity_type, entity_id, name }: Record<string, unknown>) => ({
  entityType: String(entity_type),
  id: String(entity_id),
  name: String(name),
});
