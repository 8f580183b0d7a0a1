import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import type { PlanFeature, Role } from '../access/plans.ts';
import { closed } from './schemas.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/**
 * `none`: open to anyone. `bearer`: a signed-in user. `refresh`, `cookie` and `signature`: a refresh token, the cookies of
 * a browser session, or the signature of a webhook, which the handler checks itself. `service`: another surface, by
 * SERVICE_TOKEN. `metrics`: a metrics collector, by METRICS_TOKEN. `ws`: a WebSocket, which authenticates after it is open.
 */
export type ContractAuth =
  | 'none'
  | 'bearer'
  | 'refresh'
  | 'cookie'
  | 'signature'
  | 'service'
  | 'metrics'
  | 'ws';

export interface FileField {
  description: string;
  maxBytes: number;
  optional?: boolean;
}

/** A body that the handler reads as a stream. */
export interface RawBody {
  mediaType: string;
  description: string;
  /** Then the request has no media type either. */
  isOptional?: true;
}

export interface ContractExample {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  reply?: unknown;
}

/** One route as data: mounting, validation, handler types, OpenAPI, client, inventory check and shared tests derive from it. */
export interface Contract<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Reply extends TSchema = TSchema,
> {
  /** Also the operation id and the client's method name. */
  name: string;
  method: Method;
  /** A final `{path}` takes the rest, including slashes. */
  path: string;
  auth: ContractAuth;
  /** `viewer` is every signed-in user. */
  role: Role;
  /** For managing people and keys: API keys may not call it. */
  peopleOnly: boolean;
  /** Keys that may only read may send it although it is no GET: the handler refuses what they may not do. */
  anyScope: boolean;
  /** The tenant's plan, or an override of it, must include this; null if every plan will do. */
  feature: PlanFeature | null;
  tag: string;
  summary: string;
  description?: string;
  params: Params;
  query: Query;
  /**
   * Further names that the query may have; any other is refused as a slip. By default none where the reply is JSON, and
   * any where a browser gets a page or a file, since mail programs and providers append their own.
   */
  otherQuery: RegExp | null;
  /** JSON, or with `files` the text fields of a form, which are converted from text to the types given here. */
  body: Body;
  /** The files of a form; with any, the body is `multipart/form-data`. */
  files: Readonly<Record<string, FileField>>;
  /** Neither JSON nor a form: at most `bodyLimit` bytes, if the request gives its length. */
  stream: RawBody | null;
  reply: Reply;
  /** JSON by default. */
  replyType: string;
  /** Meanings of server-sent events, by name: callers that ask for `text/event-stream` get these instead of the reply. */
  events: Readonly<Record<string, string>> | null;
  /** 204: no body. 302: a redirect to the header `Location`. */
  status: 200 | 201 | 204 | 302;
  /** The reply with status 202 where the work continues after the request; its shape differs from that of `reply`. */
  accepted: TSchema | null;
  /** Statuses besides the shared ones (401, 403, 422, 429, 500) that a caller must expect. */
  errors: readonly number[];
  /** It works on a project (`X-Project-Id` or `project_id`). */
  project: boolean;
  /** An open route that requires a token also accepts an address signed by the service. */
  signed: boolean;
  /** Bytes, of all parts of a form together. */
  bodyLimit: number;
  /**
   * Bytes of memory reserved for a call besides its body; null if not worth counting, 0 if the handler reserves by itself
   * (`holdBytes`).
   */
  memory: number | null;
  /** The status for a form or file that is too large; 413 unless the specification says otherwise. */
  tooLarge: 413 | 400;
  /** `login`: counted against the strict limit for password routes, by address. */
  limit: 'login' | 'standard';
  example: ContractExample;
}

const Nothing = closed({});
const NoBody = Type.Undefined();

export const DEFAULT_PROJECT = 'default';
const PROJECT_ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;
export const isProjectId = (text: string): boolean => PROJECT_ID.test(text);

export const projectIdSchema = (description: string) =>
  Type.String({ pattern: PROJECT_ID.source, description });
const ProjectId = projectIdSchema('Project; the header `X-Project-Id` may name it instead');
const Signed = Type.String({
  maxLength: 500,
  description:
    'Stands in addresses that replies give, in the cloud: they are good without a token for up to five minutes',
});

/** A schema without `type`, so that a missing body is valid. */
export const optionalBody = <Properties extends TProperties>(properties: Properties) =>
  Type.Unsafe<Static<TObject<Properties>> | undefined>({
    properties,
    not: { type: ['array', 'string', 'number', 'boolean', 'null'] },
  });

export const isRead = ({ method }: Contract): boolean => method === 'GET' || method === 'OPTIONS';

export const noReply = Type.Null();

/** For routes that send bytes. The handler returns a `Reply` with a Buffer or a stream. */
export const binaryReply = Type.Unsafe<Blob>({ type: 'string', format: 'binary' });
export const isBinaryReply = (item: Contract): boolean =>
  (item.reply as { format?: string }).format === 'binary';

export const ANY_NAME = /^/;
const JSON_TYPE = 'application/json';

const DEFAULT_BODY_LIMIT = 1024 * 1024;
/** Smaller bodies are not worth counting. */
const SMALL_BODY = 64 * 1024;
/** Room for the text fields of a form and the separators between its parts. */
const FORM_BYTES = 64 * 1024;

type Optional<T> = { [K in keyof T]?: T[K] | undefined };

type ContractInput<P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema> = Pick<
  Contract<P, Q, B, R>,
  'name' | 'auth' | 'tag' | 'summary' | 'reply'
> &
  Optional<Omit<Contract<P, Q, B, R>, 'name' | 'method' | 'path' | 'auth' | 'tag' | 'summary' | 'reply'>>;

/**
 * Declares a route by its address, such as `GET /api/users/{id}`. Defaults: no params, query or body, role `viewer`,
 * status 200, JSON, no project.
 */
export function contract<
  P extends TSchema = TObject<Record<never, never>>,
  Q extends TSchema = TObject<Record<never, never>>,
  B extends TSchema = typeof NoBody,
  R extends TSchema = TSchema,
>(address: `${Method} ${string}`, input: ContractInput<P, Q, B, R>): Contract<P, Q, B, R> {
  const files = Object.values(input.files ?? {});
  const [method, path] = address.split(' ');
  return {
    ...input,
    method,
    path,
    role: input.role ?? 'viewer',
    peopleOnly: input.peopleOnly ?? false,
    anyScope: input.anyScope ?? false,
    feature: input.feature ?? null,
    params: input.params ?? (Nothing as unknown as P),
    query: input.query ?? (Nothing as unknown as Q),
    otherQuery: input.otherQuery ?? (isJson(input) ? null : ANY_NAME),
    body: input.body ?? ((files.length > 0 ? Nothing : NoBody) as unknown as B),
    files: input.files ?? {},
    stream: input.stream ?? null,
    replyType: input.replyType ?? JSON_TYPE,
    events: input.events ?? null,
    status: input.status ?? 200,
    accepted: input.accepted ?? null,
    errors: input.errors ?? [],
    project: input.project ?? false,
    signed: input.signed ?? false,
    bodyLimit: input.bodyLimit ?? (files.length > 0 ? formLimit(files) : DEFAULT_BODY_LIMIT),
    memory: input.memory ?? null,
    tooLarge: input.tooLarge ?? 413,
    limit: input.limit ?? 'standard',
    example: input.example ?? {},
  } as Contract<P, Q, B, R>;
}

const isJson = ({ replyType = JSON_TYPE }: { replyType?: string | undefined }): boolean =>
  replyType === JSON_TYPE;

const formLimit = (files: readonly FileField[]): number =>
  files.reduce((sum, { maxBytes }) => sum + maxBytes, FORM_BYTES);

/** Project routes also take `project_id`, and some routes a signature. */
export function querySchemaOf(item: Contract): TObject {
  const query = item.query as TObject;
  const isNamed = query.properties.project_id !== undefined;
  if (!item.signed && (!item.project || isNamed)) return query;
  return Type.Object({
    ...query.properties,
    ...(item.project && !isNamed && { project_id: Type.Optional(ProjectId) }),
    ...(item.signed && { signed: Type.Optional(Signed) }),
  });
}

export const hasBody = (item: Contract): boolean => (item.body as { type?: string }).type !== 'undefined';

export const takesFiles = (item: Contract): boolean => Object.keys(item.files).length > 0;

/** Bytes that calls may hold: for data about a whole project, for a few large texts, for rendering an image. */
export const MEMORY = {
  ofProject: 32 * 1024 * 1024,
  ofTexts: 32 * 1024 * 1024,
  ofPicture: 64 * 1024 * 1024,
} as const;

/** Parsing, checking and answering JSON takes many times its bytes in memory. */
const MEMORY_OF_JSON = 8;

/** Null if it is not worth counting. */
export function memoryOf(item: Contract, bodyBytes: number): number | null {
  const isLarge = hasBody(item) && !takesFiles(item) && item.bodyLimit > DEFAULT_BODY_LIMIT;
  if (!isLarge) return item.memory;
  const ofBody = bodyBytes > SMALL_BODY ? Math.min(bodyBytes, item.bodyLimit) * MEMORY_OF_JSON : 0;
  return (item.memory ?? 0) + ofBody;
}

export const paramNames = (path: string): string[] =>
  [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');

export type ParamsOf<C> = C extends Contract<infer P, TSchema, TSchema, TSchema> ? Static<P> : never;
export type QueryOf<C> = C extends Contract<TSchema, infer Q, TSchema, TSchema> ? Static<Q> : never;
export type BodyOf<C> = C extends Contract<TSchema, TSchema, infer B, TSchema> ? Static<B> : never;
export type ReplyOf<C> = C extends Contract<TSchema, TSchema, TSchema, infer R> ? Static<R> : never;
