import type { Readable } from 'node:stream';
import type { TSchema } from 'typebox';
import type { PlanName } from '../access/plans.ts';
import type { Connection, ConnectRequest } from './connection.ts';
import type { BodyOf, Contract, ParamsOf, QueryOf, ReplyOf } from './contract.ts';
import { HttpError } from './errors.ts';
import type { Principal } from './principal.ts';

/** A file of a form: its bytes are on disk until the handler has returned. */
export interface UploadedFile {
  path: string;
  /** Bytes. */
  size: number;
  /** The caller's name for it, without folders; never a path to write to. */
  filename: string;
  /** As the caller claims; the handler must check the bytes. */
  mediaType: string;
}

/** A handler's view of a request: validated input and the caller. */
export interface RouteRequest<C = Contract> {
  params: ParamsOf<C>;
  query: QueryOf<C>;
  body: BodyOf<C>;
  /** By the names that the contract gives them; required ones are present. */
  files: Readonly<Record<string, UploadedFile>>;
  /** The unread body, on routes that take it as a stream. */
  stream: Readable | null;
  /** Null only on routes that are open to anyone. */
  principal: Principal | null;
  tenantId: string;
  projectId: string;
  /** True if anyone may read this: the reply may be cached for others too. */
  openToAll: boolean;
  /** True if the route may change something. */
  changes: boolean;
  /** The author recorded for a change: the user's id. */
  actor: string;
  plan: PlanName;
  requestId: string;
  /** The caller's address; forwarded addresses count only behind configured proxies. */
  address: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Empty where the surface does not use cookies. */
  cookies: Readonly<Record<string, string | undefined>>;
  /** The query as sent, for parameters whose names are not fixed (`filter[field]`). */
  rawQuery: Readonly<Record<string, unknown>>;
  /** Calls back when the request is over: after the handler and any stream that it returned. */
  onEnd(listener: () => void): void;
  /**
   * On routes whose contract counts memory: reserves more of it until the request is over. 429 or 503 if there is still
   * no room after a while.
   */
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

/** A reply that needs more than its body: another status or headers. A body of bytes is a Buffer or a stream. */
export class Reply {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly Cookie[];
  readonly status: number | undefined;

  constructor(
    body: unknown,
    options: { headers?: Record<string, string>; cookies?: readonly Cookie[]; status?: number } = {},
  ) {
    this.body = body;
    this.cookies = options.cookies ?? [];
    this.headers = options.headers ?? {};
    this.status = options.status;
  }
}

/** JSON text that is ready to send; it must satisfy the contract's reply schema. */
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
  /** Accepts a WebSocket that was opened at this path. */
  connect?(connection: Connection, request: ConnectRequest): void;
}

/** Joins a contract and its WebSocket handler; other requests are refused with an explanation. */
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

/** Joins a contract and its handler; the handler's types come from the contract. */
export function route<P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema>(
  contract: Contract<P, Q, B, R>,
  handle: (
    request: RouteRequest<Contract<P, Q, B, R>>,
  ) => HandlerResult<Contract<P, Q, B, R>> | Promise<HandlerResult<Contract<P, Q, B, R>>>,
): Route {
  return { contract, handle: handle as Route['handle'] };
}
