import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { contract } from '../contract.ts';
import { type OperationObject, openApiDocument } from './document.ts';

const Quest = Type.Object({ quest_id: Type.String(), title: Type.String() }, { $id: 'Quest' });

const read = contract('GET /api/quests/{id}', {
  name: 'getQuest',
  auth: 'none',
  tag: 'Quests',
  summary: 'Read a quest',
  project: true,
  params: Type.Object({ id: Type.String({ description: 'Which quest' }) }),
  query: Type.Object({ depth: Type.Integer({ minimum: 0, default: 1 }), lang: Type.String() }),
  reply: Quest,
  errors: [404],
  example: { params: { id: 'q1' }, query: { depth: 2 }, reply: { quest_id: 'q1', title: 'Find the key' } },
});

const change = contract('PUT /api/quests/{id}', {
  name: 'updateQuest',
  auth: 'bearer',
  role: 'editor',
  tag: 'Quests',
  summary: 'Change a quest',
  description: 'Writes the file first.',
  params: Type.Object({ id: Type.String() }),
  body: Type.Object({ title: Type.String() }),
  reply: Quest,
  status: 201,
  errors: [404, 412],
  example: { body: { title: 'Find the door' } },
});

const document = openApiDocument({
  contracts: [read, change],
  title: 'Quests',
  version: '1.2.3',
  description: 'For tests',
  servers: [{ url: '/' }],
  tags: { Quests: 'What heroes do' },
});

const operation = (method: string): OperationObject => {
  const found = document.paths['/api/quests/{id}']?.[method];
  assert.ok(found);
  return found;
};

const parameter = (method: string, name: string) =>
  operation(method).parameters?.find((item) => item.name === name);

test('parameters: the path is required, a default makes a query parameter optional, examples and descriptions come along', () => {
  assert.deepEqual(parameter('get', 'id'), {
    name: 'id',
    in: 'path',
    required: true,
    schema: { type: 'string' },
    description: 'Which quest',
    example: 'q1',
  });
  assert.equal(parameter('get', 'depth')?.required, false);
  assert.equal(parameter('get', 'depth')?.example, 2);
  assert.equal(parameter('get', 'lang')?.required, true);
});

test('a route on a project takes the project by header and by query', () => {
  assert.equal(parameter('get', 'X-Project-Id')?.in, 'header');
  assert.equal(parameter('get', 'project_id')?.in, 'query');
  assert.equal(parameter('put', 'X-Project-Id'), undefined);
});

test('a route that answers 412 takes If-Match', () => {
  assert.equal(parameter('put', 'If-Match')?.in, 'header');
  assert.equal(parameter('get', 'If-Match'), undefined);
});

test('security and role follow the contract', () => {
  assert.deepEqual(operation('get').security, []);
  assert.deepEqual(operation('put').security, [{ bearer: [] }]);
  assert.equal(operation('put').description, 'Writes the file first.\n\nNeeds the role `editor` or above.');
});

test('replies name the status, media type and example; refusals are those of the mount and of the contract', () => {
  const reply = {
    schema: { $ref: '#/components/schemas/Quest' },
    example: { quest_id: 'q1', title: 'Find the key' },
  };
  assert.deepEqual(operation('get').responses['200']?.content, { 'application/json': reply });
  assert.deepEqual(Object.keys(operation('get').responses), ['200', '400', '404', '422', '500']);
  const writes = ['201', '400', '401', '403', '404', '412', '413', '415', '422', '429', '500'];
  assert.deepEqual(Object.keys(operation('put').responses), writes);
  assert.deepEqual(operation('put').responses['412'], { $ref: '#/components/responses/Error412' });
});

test('bodies carry their example', () => {
  const body = operation('put').requestBody as { content: Record<string, { example?: unknown }> };
  assert.deepEqual(body.content['application/json']?.example, { title: 'Find the door' });
  assert.equal(operation('get').requestBody, undefined);
});

test('components hold each schema and refusal that is used, once', () => {
  assert.deepEqual(Object.keys(document.components.schemas), ['Error', 'Quest']);
  const used = new Set(
    ['400', '401', '403', '404', '412', '413', '415', '422', '429', '500'].map((status) => `Error${status}`),
  );
  assert.deepEqual(new Set(Object.keys(document.components.responses)), used);
  assert.deepEqual(document.tags, [{ name: 'Quests', description: 'What heroes do' }]);
});

test('a status without a description is a mistake in the contract', () => {
  const odd = { ...read, errors: [418] };
  const options = { contracts: [odd], title: 'x', version: '1', description: 'x', servers: [], tags: {} };
  assert.throws(() => openApiDocument(options), /418/);
});
