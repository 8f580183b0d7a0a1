import type { Readable } from 'node:stream';
import type { TSchema } from 'typebox';
import type { PlanName } from '../access/plans.ts';
import type { Connection, ConnectRequest } from './connection.ts';
import type { BodyOf, Contract, ParamsOf, QueryOf, ReplyOf } from './contract.ts';
import { HttpError } from './errors.ts';
import type { Principal } from './principal.ts';

/** Its bytes are on disk until the handler has returned. */
export interface UploadedFile {
  path: string;
  /** Bytes. */
  size: number;
  /** The caller's name for it, without folders; never a path to write to. */
  filename: string;
  /** As the caller claims; the handler must check the bytes. */
  mediaType: string;
}

export interface RouteRequest<C = Contract> {
  params: ParamsOf<C>;
  query: QueryOf<C>;
  body: BodyOf<C>;
  /** Required ones are present. */
  files: Readonly<Record<string, UploadedFile>>;
  /** Null unless the route takes a stream. */
  stream: Readable | null;
  /** Null only on open routes. */
  principal: Principal | null;
  tenantId: string;
  projectId: string;
  /** Anyone may read this, so the reply may be cached for others too. */
  openToAll: boolean;
  changes: boolean;
  /** The user's id. */
  actor: string;
  plan: PlanName;
  requestId: string;
  /** Forwarded addresses count only behind configured proxies. */
  address: string;
  /** The origin at which the caller reached the service, such as `https://canonry.example.com`; forwarded ones as for `address`. */
  origin: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  cookies: Readonly<Record<string, string | undefined>>;
  /** For parameters whose names are not fixed (`filter[field]`). */
  rawQuery: Readonly<Record<string, unknown>>;
  /** After the handler and any stream that it returned. */
  onEnd(listener: () => void): void;
  /** Aborts when the caller closes the connection before the reply is complete. */
  callerGone(): AbortSignal;
  /** Reserves more memory until the request is over, on routes that count it. 429 or 503 if there is no room. */
  holdBytes(bytes: number): Promise<void>;
  /** Keeps the request's reserved memory until work that outlasts the reply is over. */
  goesOn(work: Promise<unknown>): void;
}

/** A cookie set by a reply: hidden from scripts (httpOnly), and not sent with other sites' forms. */
export interface Cookie {
  name: string;
  value: string;
  path: string;
  /** 0 deletes it. */
  maxAgeSeconds: number;
}

export interface ReplyOptions {
  headers?: Record<string, string>;
  cookies?: readonly Cookie[];
  status?: number;
  /** A stream that goes on until its caller leaves; it ends when the service stops. */
  endless?: boolean;
}

/** For another status or headers. A body of bytes is a Buffer or a stream. */
export class Reply {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly Cookie[];
  readonly status: number | undefined;
  readonly endless: boolean;

  constructor(body: unknown, options: ReplyOptions = {}) {
    this.body = body;
    this.cookies = options.cookies ?? [];
    this.headers = options.headers ?? {};
    this.status = options.status;
    this.endless = options.endless ?? false;
  }
}

/** It must satisfy the contract's reply schema. */
export class ReadyJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type HandlerResult<C> = ReplyOf<C> | Reply | ReadyJson;

export interface Route {
  contract: Contract;
  handle(request: RouteRequest): Promise<unknown> | unknown;
  connect?(connection: Connection, request: ConnectRequest): void;
}

/** Other requests are refused with an explanation. */
export const socketRoute = (
  contract: Contract,
  connect: (connection: Connection, request: ConnectRequest) => void,
): Route => ({
  contract,
  connect,
  handle: () => {
    throw new HttpError(426, 'This is a WebSocket: open it with ws:// or wss://', {
      code: 'upgrade_required',
      headers: { upgrade: 'websocket' },
    });
  },
});

export function route<P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema>(
  contract: Contract<P, Q, B, R>,
  handle: (
    request: RouteRequest<Contract<P, Q, B, R>>,
  ) => HandlerResult<Contract<P, Q, B, R>> | Promise<HandlerResult<Contract<P, Q, B, R>>>,
): Route {
  return { contract, handle: handle as Route['handle'] };
}
