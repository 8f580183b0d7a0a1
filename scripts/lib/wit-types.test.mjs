import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inRoot } from './paths.mjs';
import { parseWit } from './wit.mjs';
import { typesOfWit } from './wit-types.mjs';

const read = (path) => readFileSync(inRoot(path), 'utf8');
const wit = read('src/platform/guests/wit/plugin.wit');

test('new plugins get the world that the service has, and types made of it (node scripts/plugin-types.mjs)', () => {
  assert.equal(read('starter/plugin/canonry/plugin.wit'), wit);
  assert.equal(read('starter/plugin/canonry/world.d.ts'), typesOfWit(wit));
});

test('all of the world is read', () => {
  const { id, interfaces, imports, exports } = parseWit(wit);
  assert.equal(id, 'canonry:plugin@1.0.0');
  assert.deepEqual(imports, ['log', 'entities', 'settings', 'kv', 'events', 'http']);
  assert.deepEqual(exports, ['metadata', 'hooks', 'routes']);
  assert.deepEqual(
    interfaces.map(({ name }) => name),
    [...imports, ...exports],
  );
});

const world = (content) => `package a:b@1.0.0;\n${content}\nworld w { import one; }`;

test('types are those of QuickJS, and comments stay with what they are about', () => {
  const types = typesOfWit(
    world(`
/// Of the file.

/// Of the interface.
interface one {
  // Of nobody.
  enum two-words { a, b-c }
  type pairs = list<tuple<string, u32>>;
  record some {
    /// Of the field.
    the-pairs: pairs,
    maybe: list<option<bool>>,
  }
  /// Of the function.
  %list: func(the-first: option<some>) -> result<_, string>;
}`),
  );
  assert.match(types, /\/\*\* Of the interface\. \*\/\ndeclare module 'a:b\/one@1\.0\.0' \{/);
  assert.match(types, /type TwoWords = 'a' \| 'b-c';/);
  assert.match(types, /type Pairs = \[string, number\]\[\];/);
  assert.match(
    types,
    / {4}\/\*\* Of the field\. \*\/\n {4}thePairs: Pairs;\n {4}maybe: \(boolean \| null\)\[\];/,
  );
  assert.match(types, /\* Of the function\.\n.*Throws.*\n.*\n {4}list\(theFirst: Some \| null\): void;/);
  assert.doesNotMatch(types, /Of the file|Of nobody/);
});

test('what the reader does not know is refused', () => {
  for (const content of ['interface one { resource r; }', 'interface one { f: func() -> future<u8>; }', '#'])
    assert.throws(() => typesOfWit(world(content)), Error, content);
});
