import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import type { Role } from '../content/plans.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `none`: open to anyone. `bearer`: a signed-in user. `refresh`: the refresh token in the body is the credential. */
export type ContractAuth = 'none' | 'bearer' | 'refresh';

export interface ContractExample {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  reply?: unknown;
}

/**
 * One route as data. From it come the mounted route with its validation, the handler's type, the OpenAPI
 * document, the typed client, the inventory check and the tests that every route shares.
 */
export interface Contract<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Reply extends TSchema = TSchema,
> {
  /** Operation id and the client's method name. */
  name: string;
  method: Method;
  /** Full path with `{param}` segments; a last `{path}` takes the rest, slashes included. */
  path: string;
  auth: ContractAuth;
  /** The least role that may call; `viewer` is every signed-in user. */
  role: Role;
  tag: string;
  summary: string;
  description?: string;
  params: Params;
  query: Query;
  body: Body;
  reply: Reply;
  /** Media type of the reply; JSON unless said. */
  replyType: string;
  status: 200 | 201;
  /** Statuses besides the shared ones (401, 403, 422, 429, 500) that a caller must expect. */
  errors: readonly number[];
  /** Whether the route works on a project (`X-Project-Id` or `project_id`). */
  project: boolean;
  /** Bytes. */
  bodyLimit: number;
  /** `login`: counted against the strict limit for password routes, by address. */
  limit: 'login' | 'standard';
  example: ContractExample;
}

const Nothing = Type.Object({}, { additionalProperties: false });
const NoBody = Type.Undefined();

export const DEFAULT_PROJECT = 'default';
const PROJECT_ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;
export const isProjectId = (text: string): boolean => PROJECT_ID.test(text);

/** The id of a project in a query or body. */
export const projectIdSchema = (description: string) =>
  Type.String({ pattern: PROJECT_ID.source, description });
const ProjectId = projectIdSchema('Project; the header `X-Project-Id` may name it instead');

/** A body that may be left out: a schema without `type`, so that no body passes. */
export const optionalBody = <Properties extends TProperties>(properties: Properties) =>
  Type.Unsafe<Static<TObject<Properties>> | undefined>({
    properties,
    not: { type: ['array', 'string', 'number', 'boolean', 'null'] },
  });

const DEFAULT_BODY_LIMIT = 1024 * 1024;

type Optional<T> = { [K in keyof T]?: T[K] | undefined };

type ContractInput<P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema> = Pick<
  Contract<P, Q, B, R>,
  'name' | 'method' | 'path' | 'auth' | 'tag' | 'summary' | 'reply'
> &
  Optional<Omit<Contract<P, Q, B, R>, 'name' | 'method' | 'path' | 'auth' | 'tag' | 'summary' | 'reply'>>;

/** Declares a route. What is left out: no params, query or body, role `viewer`, status 200, JSON, no project. */
export function contract<
  P extends TSchema = TObject<Record<never, never>>,
  Q extends TSchema = TObject<Record<never, never>>,
  B extends TSchema = typeof NoBody,
  R extends TSchema = TSchema,
>(input: ContractInput<P, Q, B, R>): Contract<P, Q, B, R> {
  return {
    ...input,
    role: input.role ?? 'viewer',
    params: input.params ?? (Nothing as unknown as P),
    query: input.query ?? (Nothing as unknown as Q),
    body: input.body ?? (NoBody as unknown as B),
    replyType: input.replyType ?? 'application/json',
    status: input.status ?? 200,
    errors: input.errors ?? [],
    project: input.project ?? false,
    bodyLimit: input.bodyLimit ?? DEFAULT_BODY_LIMIT,
    limit: input.limit ?? 'standard',
    example: input.example ?? {},
  } as Contract<P, Q, B, R>;
}

/** The query's schema as callers see it: routes on a project also take `project_id`. */
export function querySchemaOf(item: Contract): TObject {
  const query = item.query as TObject;
  if (!item.project || query.properties.project_id) return query;
  return Type.Object({ ...query.properties, project_id: Type.Optional(ProjectId) });
}

export const hasBody = (item: Contract): boolean => (item.body as { type?: string }).type !== 'undefined';

/** Names of the `{param}` segments, in order. */
export const paramNames = (path: string): string[] =>
  [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');

export type ParamsOf<C> = C extends Contract<infer P, TSchema, TSchema, TSchema> ? Static<P> : never;
export type QueryOf<C> = C extends Contract<TSchema, infer Q, TSchema, TSchema> ? Static<Q> : never;
export type BodyOf<C> = C extends Contract<TSchema, TSchema, infer B, TSchema> ? Static<B> : never;
export type ReplyOf<C> = C extends Contract<TSchema, TSchema, TSchema, infer R> ? Static<R> : never;
