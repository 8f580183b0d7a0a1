import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutPrefix } from './archives.ts';

const without = (...paths: string[]): string[] =>
  withoutPrefix(
    paths.map((path) => ({ path })),
    'plugin.json',
  ).map(({ path }) => path);

test('the one folder around everything is dropped if the marker is directly in it', () => {
  assert.deepEqual(without('a-1.2/plugin.json', 'a-1.2/b/c', 'a-1.2/b/plugin.json'), [
    'plugin.json',
    'b/c',
    'b/plugin.json',
  ]);
  assert.deepEqual(without('a/z', 'a/plugin.json'), ['z', 'plugin.json']);
});

test('anything else stays as it is', () => {
  for (const paths of [
    ['plugin.json', 'a/b'],
    ['plugin.json', 'a/plugin.json'],
    ['a/plugin.json', 'b'],
    ['a/plugin.json', 'ab/c'],
    ['a/plugin.json', 'b/plugin.json'],
    ['a/b/plugin.json', 'a/b/c'],
    ['a/no-plugin.json', 'a/plugin.json.txt'],
    ['a/b'],
    [],
  ])
    assert.deepEqual(without(...paths), paths);
});

test('other facts of the files are kept', () => {
  assert.deepEqual(withoutPrefix([{ path: 'a/b.md', size: 3 }], 'b.md'), [{ path: 'b.md', size: 3 }]);
});
