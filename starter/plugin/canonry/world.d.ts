// The imports and exports of a guest, as JavaScript in QuickJS sees them: made of plugin.wit, so do not edit this.
// The helper in guest.ts stands on it, and spares you the JSON.

/** The plugin's log, which admins read. 1,000 lines are kept; of one call at most 200 lines and 64 kB. */
declare module 'canonry:plugin/log@1.0.0' {
  export type Level = 'debug' | 'info' | 'warn' | 'error';
  const log: {
    log(level: Level, message: string): void;
  };
  export default log;
}

/** The project's entities. Reading needs the permission `entities:read`, writing `entities:write`. */
declare module 'canonry:plugin/entities@1.0.0' {
  export interface Hit {
    entityType: string;
    id: string;
    name: string;
  }
  const entities: {
    /** JSON of the entity; none if it does not exist or the plugin may not read. */
    get(entityType: string, id: string): string | null;
    /** Ids in their order, from the one that follows `after`; at most 1,000. */
    listIds(entityType: string, limit: number, after: string | null): string[];
    /** The best first; at most 100. */
    search(query: string, limit: number): Hit[];
    /**
     * Changes the fields that `patch` (a JSON object) names, like a save by the API, with its checks and a revision. Returns JSON
     * of the entity as it is then.
     * Throws an `Error` with the reason if the host refuses.
     */
    write(entityType: string, id: string, patch: string): string;
  };
  export default entities;
}

/** The settings of the plugin in the project, as admins set them. Needs the permission `settings:read`. */
declare module 'canonry:plugin/settings@1.0.0' {
  const settings: {
    /**
     * JSON: the settings that `plugin.json` lists as `global`, by their keys. One that nobody has set has its default, or null.
     * Secrets are as they were typed, so keep them out of logs and replies. An empty object if the plugin may not read them.
     */
    get(): string;
  };
  export default settings;
}

/** A store of the plugin's own, one for each project. Keys have 1 to 256 bytes, values at most 65,536. */
declare module 'canonry:plugin/kv@1.0.0' {
  const kv: {
    get(key: string): string | null;
    /** Throws an `Error` with the reason if the host refuses. */
    set(key: string, value: string): void;
    /** A key that does not exist is no error. */
    delete(key: string): void;
    /** The keys that begin so, in their order; at most 1,000. */
    list(prefix: string): string[];
  };
  export default kv;
}

/** Needs the permission `events:emit`. */
declare module 'canonry:plugin/events@1.0.0' {
  const events: {
    /**
     * `payload` is JSON. Sent once the current call has returned, to connected clients.
     * Throws an `Error` with the reason if the host refuses.
     */
    emit(name: string, payload: string): void;
  };
  export default events;
}

/** Requests to the hosts that were granted (`http:<host>`), within 5 s and 1 MB. Bodies are texts. */
declare module 'canonry:plugin/http@1.0.0' {
  export type Headers = [string, string][];
  export interface HttpRequest {
    method: string;
    url: string;
    headers: Headers;
    body: string | null;
  }
  export interface HttpResponse {
    status: number;
    headers: Headers;
    body: string;
  }
  const http: {
    /**
     * Replies of any status are no error.
     * Throws an `Error` with the reason if the host refuses.
     */
    request(request: HttpRequest): HttpResponse;
  };
  export default http;
}

/** Every guest has this. */
declare module 'canonry:plugin/metadata@1.0.0' {
  export interface Info {
    name: string;
    version: string;
    description: string;
  }
  export interface Metadata {
    /** Must not depend on anything. */
    getInfo(): Info;
  }
}

/** Called when entities are checked or change. An error that is returned goes into the plugin's log, and the request goes on. */
declare module 'canonry:plugin/hooks@1.0.0' {
  export type Severity = 'info' | 'warning' | 'error';
  export interface Finding {
    severity: Severity;
    /** Path of the field, such as `stats.strength`; none if it is about the entity. */
    field: string | null;
    message: string;
  }
  export interface EntityChange {
    entityType: string;
    id: string;
    /** JSON of the entity. */
    entity: string;
    /** JSON of the entity before this change; none if it is new, or checked without a change. */
    previous: string | null;
  }
  export interface Hooks {
    /**
     * The findings join the entity's own. One of severity `error` refuses the save.
     * May throw a text: an error for the log.
     */
    onEntityValidate(change: EntityChange): Finding[];
    /**
     * Before the entity is written. Returns its JSON with other values to save, or none to leave it as it is.
     * May throw a text: an error for the log.
     */
    onEntitySave(change: EntityChange): string | null;
    /**
     * After it was created.
     * May throw a text: an error for the log.
     */
    onEntityCreate(change: EntityChange): void;
    /**
     * After it was deleted; `entity` is its last state.
     * May throw a text: an error for the log.
     */
    onEntityDelete(change: EntityChange): void;
    /**
     * When the plugin begins to run in a project: after it was installed, and again each time that it was disabled and enabled, but
     * not after an update. Nothing is told or checked before. An error or a break of a limit is in the log, and not tried again;
     * after a crash of the host it may be called twice. `project` is JSON: `id` and `name`.
     * May throw a text: an error for the log.
     */
    onProjectInit(project: string): void;
  }
}

/** Answers requests below `/api/plugins/{id}/custom/`. Only signed-in users get here. */
declare module 'canonry:plugin/routes@1.0.0' {
  export type Headers = [string, string][];
  export interface User {
    id: string;
    role: string;
  }
  export interface Request {
    method: string;
    /** The part of the address after `custom`, with its slash and the query: `/report?days=7`. */
    path: string;
    /** Names are in lower case. Cookies and credentials are left out. */
    headers: Headers;
    body: string | null;
    user: User;
  }
  export interface Response {
    status: number;
    headers: Headers;
    body: string;
  }
  export interface Routes {
    /**
     * An error becomes a reply with status 502, and goes into the plugin's log.
     * May throw a text: an error for the log.
     */
    handleRequest(request: Request): Response;
  }
}
