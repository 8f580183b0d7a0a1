export type GuestLogLevel = 'debug' | 'info' | 'warn' | 'error';

export type GuestHeaders = readonly (readonly [name: string, value: string])[];

export interface EntityHit {
  entityType: string;
  id: string;
  name: string;
}

export interface GuestHttpRequest {
  method: string;
  url: string;
  headers: GuestHeaders;
  body: string | null;
}

export interface GuestHttpResponse {
  status: number;
  headers: GuestHeaders;
  body: string;
}

/**
 * The imports of the world (`wit/plugin.wit`), for one call. The guest is stopped if one of these rejects, except with a
 * `GuestRefusal` where the world has an error. Arguments have the right types and nothing else was checked. Work that runs on after
 * the call has ended is the host's to stop.
 */
export interface GuestHost {
  log(level: GuestLogLevel, message: string): void;
  entities: {
    get(entityType: string, id: string): Promise<string | null>;
    listIds(entityType: string, limit: number, after: string | null): Promise<readonly string[]>;
    search(query: string, limit: number): Promise<readonly EntityHit[]>;
    write(entityType: string, id: string, patch: string): Promise<string>;
  };
  settings: {
    /** JSON, with secrets. */
    get(): Promise<string>;
  };
  kv: {
    get(key: string): Promise<string | null>;
    set(key: string, value: string): Promise<void>;
    delete(key: string): Promise<void>;
    list(prefix: string): Promise<readonly string[]>;
  };
  events: {
    emit(name: string, payload: string): Promise<void>;
  };
  http: {
    request(request: GuestHttpRequest): Promise<GuestHttpResponse>;
  };
}

/** The error that `write`, `set`, `emit` and `request` return to the guest. */
export class GuestRefusal extends Error {
  override readonly name = 'GuestRefusal';
}
