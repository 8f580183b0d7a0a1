import type { BodyOf, ParamsOf, QueryOf, ReplyOf } from '../kit/contract.ts';
import type { Call } from './call.ts';
import { errorFrom } from './error.ts';
import { type CallParts, requestOf, urlOf } from './request.ts';

/** Filters of a list by field value: `{'filter[age]': 31}`. */
type FieldFilters = { [name: `filter[${string}]`]: string | number | boolean };

/** One part of the arguments: absent where the route takes none, optional where nothing in it is required. */
type Part<Name extends string, Value> = [keyof Value] extends [never]
  ? { [K in Name]?: never }
  : Partial<Value> extends Value
    ? { [K in Name]?: Value }
    : { [K in Name]: Value };

type BodyPart<Body> = [Body] extends [undefined] ? { body?: never } : { body: Body };

type QueryPart<Query> =
  Partial<Query> extends Query ? { query?: Query & FieldFilters } : { query: Query & FieldFilters };

export type CallOf<C> = Part<'params', ParamsOf<C>> &
  QueryPart<QueryOf<C>> &
  BodyPart<BodyOf<C>> & {
    /** The files of a form, for routes that take one. */
    files?: Readonly<Record<string, Blob>>;
    headers?: Readonly<Record<string, string>>;
    signal?: AbortSignal;
    /** The request outlives its page; browsers allow 64 KiB of such bodies. */
    keepalive?: boolean;
  };

type Arguments<Call> = Partial<Call> extends Call ? [call?: Call] : [call: Call];

/** One method per contract. Each rejects with a `ClientError` when the service refuses. */
export type Client<Contracts> = {
  [Name in keyof Contracts]: (
    ...call: Arguments<CallOf<Contracts[Name]>>
  ) => Promise<ReplyOf<Contracts[Name]>>;
};

export type Transport = (
  url: string,
  request: {
    method: string;
    headers: Record<string, string>;
    body?: string | FormData;
    signal?: AbortSignal;
    keepalive?: boolean;
  },
) => Promise<Response>;

export interface CallClientOptions {
  /** Origin of the service, such as `http://127.0.0.1:8000`; empty for the page's own origin. */
  baseUrl: string;
  /** The access token, or a function that returns the current one at each call. */
  token?: string | (() => string | undefined);
  fetch?: Transport;
}

/**
 * Returns a typed client for calls, without their contracts: pages name the contracts as a type alone. A lost connection
 * rejects as `fetch` does.
 */
export function createCallClient<Contracts>(
  calls: { readonly [Name in keyof Contracts]: Call },
  { baseUrl, token, ...options }: CallClientOptions,
): Client<Contracts> {
  const send: Transport = options.fetch ?? ((url, request) => fetch(url, request));
  const run = async (call: Call, parts: CallParts = {}): Promise<unknown> => {
    const current = typeof token === 'function' ? token() : token;
    const response = await send(urlOf(call, baseUrl, parts), requestOf(call, parts, current));
    if (!response.ok) throw await errorFrom(response);
    if (response.status === 204) return null;
    if (call.replyType === 'application/json') return response.json();
    return call.isBinary ? response.blob() : response.text();
  };
  const methods = Object.entries<Call>(calls).map(([name, call]) => [
    name,
    (parts?: CallParts) => run(call, parts),
  ]);
  return Object.fromEntries(methods) as Client<Contracts>;
}
