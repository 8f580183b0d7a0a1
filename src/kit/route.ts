import type { TSchema } from 'typebox';
import type { PlanName } from '../content/plans.ts';
import type { BodyOf, Contract, ParamsOf, QueryOf, ReplyOf } from './contract.ts';
import type { Principal } from './principal.ts';

/** What a handler gets to see of a request: validated input and who asks. */
export interface RouteRequest<C = Contract> {
  params: ParamsOf<C>;
  query: QueryOf<C>;
  body: BodyOf<C>;
  /** Null only on routes that are open to anyone. */
  principal: Principal | null;
  tenantId: string;
  projectId: string;
  /** Whether the route may change something. */
  changes: boolean;
  /** Who is recorded as the author of a change: the user's id. */
  actor: string;
  plan: PlanName;
  requestId: string;
  /** The caller's address, forwarded ones only behind configured proxies. */
  address: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The query as sent, for parameters whose names are not fixed (`filter[field]`). */
  rawQuery: Readonly<Record<string, unknown>>;
}

/** A reply that needs more than its body: another status, headers, or text that is ready to send. */
export class Reply {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number | undefined;

  constructor(body: unknown, options: { headers?: Record<string, string>; status?: number } = {}) {
    this.body = body;
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
}

/** Joins a contract and its handler; the handler's types come from the contract. */
export function route<P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema>(
  contract: Contract<P, Q, B, R>,
  handle: (
    request: RouteRequest<Contract<P, Q, B, R>>,
  ) => HandlerResult<Contract<P, Q, B, R>> | Promise<HandlerResult<Contract<P, Q, B, R>>>,
): Route {
  return { contract, handle: handle as Route['handle'] };
}
