import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { TSchema } from 'typebox';
import { createChecker } from '../src/kit/http/validation.ts';
import type { OpenApiDocument } from '../src/kit/openapi/document.ts';
import { startCore } from './support/core.ts';
import { anyText, changed, fromSchema } from './support/fuzz-values.ts';
import fc, { seed } from './support/properties.ts';

/**
 * Requests derived from the OpenAPI document alone: right, nearly right and wrong. There is no 5xx, every status is
 * documented, and every refusal has the standard form. The core itself checks replies against their contracts.
 */
const BUDGET_MS = 12_000;

const core = await startCore({ content: 'sample', env: { REGISTRATION: 'closed' } });
after(() => core.close());
const document: OpenApiDocument = JSON.parse((await core.app.inject({ url: '/openapi.json' })).body);

interface Operation {
  method: string;
  path: string;
  parameters: { name: string; in: string; required: boolean; schema: object; example?: unknown }[];
  body: { schema: object; example?: unknown } | null;
  statuses: Set<string>;
}

interface RawOperation {
  parameters?: Operation['parameters'];
  requestBody?: { content: Record<string, NonNullable<Operation['body']>> };
  responses: Record<string, object>;
}

const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as unknown as Record<string, RawOperation>).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    parameters: operation.parameters ?? [],
    body: operation.requestBody?.content['application/json'] ?? null,
    statuses: new Set(Object.keys(operation.responses)),
  })),
);

const components = document.components.schemas as Record<string, object>;
/** The document's examples exist, so that not every request fails at the first check. */
const parameterOf = ({ schema, example }: Operation['parameters'][number]): fc.Arbitrary<unknown> => {
  const made = fc.oneof({ weight: 2, arbitrary: fromSchema(schema, components) }, anyText);
  return example === undefined ? made : fc.oneof({ weight: 8, arbitrary: fc.constant(example) }, made);
};

const bodyOf = ({ schema, example }: NonNullable<Operation['body']>): fc.Arbitrary<unknown> => {
  const made = fromSchema(schema, components);
  const right = example === undefined ? made : fc.oneof(fc.constant(example), made);
  return fc.oneof(
    { weight: 2, arbitrary: right },
    { weight: 5, arbitrary: right.chain((value) => changed(value)) },
    { weight: 1, arbitrary: fc.json() as fc.Arbitrary<unknown> },
  );
};

/** Optional parts are mostly left out: one wrong part would hide what the others do. */
const seldom = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });

const requestOf = (operation: Operation) =>
  fc.record({
    parameters: fc.tuple(
      ...operation.parameters.map((parameter) =>
        parameter.required ? parameterOf(parameter) : seldom(parameterOf(parameter)),
      ),
    ),
    body: operation.body === null ? fc.constant(undefined) : bodyOf(operation.body),
    extra: seldom(fc.tuple(anyText, anyText)),
  });

interface Sent {
  url: string;
  headers: Record<string, string>;
}

function addressOf(operation: Operation, values: readonly unknown[], extra: [string, string] | null): Sent {
  let url = operation.path;
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  for (const [index, { name, in: place }] of operation.parameters.entries()) {
    const value = values[index];
    if (value === null || value === undefined) continue;
    const text = (typeof value === 'object' ? JSON.stringify(value) : String(value)).toWellFormed();
    if (place === 'path') url = url.replace(`{${name}}`, encodeURIComponent(text) || 'x');
    else if (place === 'query') query.append(name, text);
    else headers[name] = encodeURIComponent(text);
  }
  if (extra !== null) query.append(extra[0].toWellFormed(), extra[1].toWellFormed());
  return { url: query.size > 0 ? `${url}?${query}` : url, headers };
}

const refusal = createChecker(components.Error as unknown as TSchema);

async function send(operation: Operation, { url, headers }: Sent, body: unknown): Promise<void> {
  const payload = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const reply = await core.app.inject({
    method: operation.method as 'GET',
    url,
    headers: {
      authorization: `Bearer ${core.adminToken}`,
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload !== undefined && { payload }),
  });
  const what = `${operation.method} ${url.slice(0, 500)} ${payload?.slice(0, 1000) ?? ''} → ${reply.statusCode} ${reply.body.slice(0, 500)}`;
  assert.ok(reply.statusCode < 500, what);
  const isNamed =
    operation.statuses.has(String(reply.statusCode)) || [304, 404, 414].includes(reply.statusCode);
  assert.ok(isNamed, `a status that the document does not name: ${what}`);
  if (reply.statusCode >= 400) assert.equal(refusal(reply.json()), null, what);
}

/** It would end the tokens that the other requests need. */
const ENDS_THE_SESSION = '/api/auth/logout';

const fuzzed = operations.filter(({ path }) => path !== ENDS_THE_SESSION);
/** A body has more ways to be wrong than an address. */
const shareOf = ({ body }: Operation) => (body === null ? 1 : 4);
const shares = fuzzed.reduce((sum, operation) => sum + shareOf(operation), 0);

test(`the document gives requests to send (FC_SEED=${seed} repeats this run)`, () => {
  assert.ok(fuzzed.length > 30, `${fuzzed.length} operations`);
});

for (const operation of fuzzed) {
  test(`${operation.method} ${operation.path} takes anything without a fault`, async () => {
    const until = Date.now() + (BUDGET_MS * shareOf(operation)) / shares;
    for (const { parameters, body, extra } of fc.sample(requestOf(operation), { numRuns: 150 })) {
      await send(operation, addressOf(operation, parameters, extra), body);
      if (Date.now() > until) break;
    }
  });
}
