import type { TObject } from 'typebox';
import { type Contract, hasBody, isRead, querySchemaOf } from '../contract.ts';
import type { Components, SchemaObject } from './schemas.ts';

interface ErrorReply {
  description: string;
  example: { detail: string; code?: string };
  headers?: Record<string, SchemaObject>;
}

const RETRY_AFTER = { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } };

const refusal = (description: string, detail: string, code?: string): ErrorReply => ({
  description,
  example: { detail, ...(code !== undefined && { code }) },
});

const ERRORS: Readonly<Record<number, ErrorReply>> = {
  400: refusal('Malformed request, or a value that is refused', 'The body is not valid JSON'),
  401: refusal(
    'Missing, invalid or expired token',
    'Sign in first: send the header Authorization: Bearer <access token>',
    'not_authenticated',
  ),
  402: refusal(
    "The plan's limit is reached",
    'The free plan holds 100 entities: upgrade, or delete some first',
  ),
  403: refusal(
    'The role, the plan or a limit does not allow this',
    'Admin access required',
    'insufficient_role',
  ),
  404: refusal('There is no such thing', 'There is no character kaya_venn'),
  409: refusal('Conflict with what is there, or not configured', 'kaya_venn exists already'),
  410: refusal('It was there, and its time is over', 'The upload has expired: begin a new one', 'expired'),
  412: refusal(
    '`If-Match` is stale, or a condition of the protocol is not met',
    'The entity has changed since version 3: read it again',
  ),
  413: refusal('The body is too large', 'The request body is larger than this route takes'),
  415: refusal(
    'The body is of another media type than the route takes',
    'Send the body as Content-Type: application/json',
  ),
  416: refusal(
    'The range is not in the file',
    'The file has 10 bytes, and the range is outside of them',
    'no_such_range',
  ),
  422: refusal(
    'Understood but invalid; `errors` names each field',
    "query parameter 'limit' must be <= 500",
    'invalid_request',
  ),
  426: refusal(
    'This is a WebSocket: it answers no ordinary request',
    'This is a WebSocket: open it with ws:// or wss://',
    'upgrade_required',
  ),
  429: {
    ...refusal('Too many requests', 'Too many requests: try again in 30 seconds', 'rate_limited'),
    headers: RETRY_AFTER,
  },
  500: refusal('A fault of the service', 'Something went wrong here'),
  502: refusal(
    'Another service gives no answer, or none that can be used',
    'The archive cannot be fetched: the answer has the status 404',
    'archive_unavailable',
  ),
  503: {
    ...refusal('Something that the service needs does not answer', 'The database does not answer'),
    headers: RETRY_AFTER,
  },
  504: refusal(
    'What was asked did not answer in time',
    'The plugin did not answer within its limits',
    'plugin_broke_limit',
  ),
};

/** The body of every refusal (spec 1 §7). */
export const ERROR_SCHEMA: SchemaObject = {
  type: 'object',
  required: ['detail'],
  properties: {
    detail: { type: 'string', description: 'What was wrong and what to do, for a person' },
    code: { type: 'string', description: 'What was wrong, for a program' },
    errors: {
      type: 'array',
      description: 'Each refused field',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: {
          field: { type: 'string', description: 'Where, with dots between the levels' },
          message: { type: 'string' },
          line: { type: 'integer', minimum: 1, description: 'Line of the file, where one is meant' },
        },
      },
    },
  },
};

export type Responses = Record<string, SchemaObject>;

export function responsesOf(contract: Contract, components: Components): Responses {
  const refusals = errorStatuses(contract).map((status) => [
    status,
    { $ref: `#/components/responses/Error${status}` },
  ]);
  return {
    [contract.status]: success(contract, components),
    ...(contract.accepted && { 202: goesOn(components.use(contract.accepted)) }),
    ...Object.fromEntries(refusals),
  };
}

const goesOn = (schema: SchemaObject): SchemaObject => ({
  description:
    'It takes longer than two seconds and goes on: `Location` and the event `operation_progress` tell how far it is, `POST /api/operations/{operation_id}/cancel` stops it. The request header `Prefer: wait=30` waits longer, at most 60 seconds, `Prefer: respond-async` not at all',
  headers: { Location: { description: 'Where to follow it', schema: { type: 'string' } } },
  content: { 'application/json': { schema } },
});

function success(contract: Contract, components: Components): SchemaObject {
  const { reply } = contract.example;
  const content = { schema: components.use(contract.reply), ...(reply !== undefined && { example: reply }) };
  if (contract.status === 302) return SENT_ON;
  if (contract.status === 204) return { description: 'Done; the reply has no body' };
  const description = contract.status === 201 ? 'Created' : 'Success';
  return {
    description,
    content: {
      [contract.replyType]: content,
      ...(contract.events && { 'text/event-stream': eventsOf(contract.events) }),
    },
  };
}

const eventsOf = (events: NonNullable<Contract['events']>): SchemaObject => ({
  schema: {
    type: 'string',
    description: [
      'Server-sent events, each with JSON as its data. With `Accept: text/event-stream` the reply is these:',
      ...Object.entries(events).map(([name, meaning]) => `- \`${name}\`: ${meaning}`),
      '- `error`: the last one if something went wrong, with `detail`, `status` and `code`',
    ].join('\n'),
  },
});

const SENT_ON: SchemaObject = {
  description: 'The browser is sent on',
  headers: { Location: { description: 'Where to', schema: { type: 'string', format: 'uri' } } },
};

/** In ascending order: refusals that follow from the contract's other members, and its own `errors`. */
export function errorStatuses(contract: Contract): number[] {
  const { auth, role, peopleOnly, feature, limit, project, otherQuery } = contract;
  const takesInput =
    hasBody(contract) ||
    project ||
    otherQuery === null ||
    Object.keys((contract.params as Partial<TObject>).properties ?? {}).length > 0 ||
    Object.keys(querySchemaOf(contract).properties).length > 0;
  const found = new Set<number>([400, ...contract.errors, 500]);
  if (hasBody(contract) || contract.stream) for (const status of [contract.tooLarge, 415]) found.add(status);
  if (auth !== 'none') found.add(401);
  if (auth === 'bearer' && (role !== 'viewer' || peopleOnly || feature !== null)) found.add(403);
  if (takesInput) found.add(422);
  if (auth === 'bearer' || limit === 'login' || !isRead(contract)) found.add(429);
  return [...found].sort((a, b) => a - b);
}

export function errorResponses(statuses: Iterable<number>): Record<string, SchemaObject> {
  const entries = [...new Set(statuses)]
    .sort((a, b) => a - b)
    .map((status) => [`Error${status}`, errorResponse(status)]);
  return Object.fromEntries(entries);
}

function errorResponse(status: number): SchemaObject {
  const known = ERRORS[status];
  if (!known) throw new Error(`a contract names the status ${status}, which has no description`);
  const { description, example, headers } = known;
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, example } };
  return { description, ...(headers && { headers }), content };
}
