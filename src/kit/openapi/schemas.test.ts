import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { createComponents } from './schemas.ts';

const Person = Type.Object({ id: Type.String(), kind: Type.Enum(['hero', 'foe']) }, { $id: 'Person' });

test('a schema with an $id is hoisted once and referred to, wherever it stands', () => {
  const components = createComponents();
  const reference = { $ref: '#/components/schemas/Person' };
  const list = components.use(Type.Object({ people: Type.Array(Person), boss: Type.Optional(Person) }));
  assert.deepEqual(list.properties, { people: { type: 'array', items: reference }, boss: reference });
  assert.deepEqual(components.use(Person), reference);
  assert.deepEqual(Object.keys(components.schemas), ['Person']);
});

test('a hoisted schema loses its $id; words get their type', () => {
  const components = createComponents();
  components.use(Person);
  const person = components.schemas.Person;
  assert.equal(person?.$id, undefined);
  assert.deepEqual(person?.properties, {
    id: { type: 'string' },
    kind: { type: 'string', enum: ['hero', 'foe'] },
  });
});

test('a reference by $id points into the components', () => {
  assert.deepEqual(createComponents().use(Type.Ref('Person')), { $ref: '#/components/schemas/Person' });
});

test('properties that are named like keywords stay properties, and values stay values', () => {
  const source = {
    type: 'object',
    properties: { items: { type: 'string' }, $ref: { type: 'string' } },
    default: { $id: 'x' },
    required: ['items'],
  };
  assert.deepEqual(createComponents().use(source), source);
});

test('two different schemas under one $id are refused', () => {
  const components = createComponents();
  components.use(Person);
  assert.throws(
    () => components.use(Type.Object({}, { $id: 'Person' })),
    /two different schemas carry the \$id 'Person'/,
  );
});
