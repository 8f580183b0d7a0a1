import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readManifest } from './index.ts';

const HEAD = '{"id": "atlas", "name": "Atlas", "version": "1.0.0", "description": "D",';

const pointersOf = (text: string) => readManifest(text).problems.map(({ pointer }) => pointer);

const numbered = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test('lists have an end', () => {
  const panel = { location: 'tab', url: 'a.html' };
  const named = (count: number, more: object) =>
    numbered(count).map((index) => ({ id: `x${index}`, ...more }));
  const lists: readonly [string, number, (count: number) => object][] = [
    ['/panels', 100, (count) => ({ panels: named(count, panel) })],
    ['/widgets', 100, (count) => ({ widgets: named(count, panel) })],
    ['/pages', 100, (count) => ({ pages: named(count, panel) })],
    ['/nav_entries', 100, (count) => ({ nav_entries: named(count, panel) })],
    ['/commands', 100, (count) => ({ commands: named(count, {}) })],
    ['/settings_schema', 200, (count) => ({ settings_schema: named(count, {}) })],
    [
      '/settings/user/0/options',
      200,
      (count) => ({ settings: { user: [{ key: 'a', options: numbered(count) }] } }),
    ],
    [
      '/panels/0/entity_types',
      200,
      (count) => ({ panels: [{ id: 'a', ...panel, entity_types: numbered(count).map(String) }] }),
    ],
    [
      '/permissions',
      100,
      (count) => ({ permissions: numbered(count).map((index) => `http:h${index}.example`) }),
    ],
  ];
  for (const [pointer, most, make] of lists) {
    assert.deepEqual(readManifest(HEAD + JSON.stringify(make(most)).slice(1)).problems, [], pointer);
    const { manifest, problems } = readManifest(HEAD + JSON.stringify(make(most + 2)).slice(1));
    assert.deepEqual(
      problems.map((problem) => problem.pointer),
      [`${pointer}/${most}`],
    );
    assert.match(
      problems[0]?.message ?? '',
      new RegExp(`there are ${most + 2}, and no more than ${most} are read`),
    );
    assert.equal(JSON.stringify(manifest).includes(`x${most}`), false);
  }
});

test('pages and the navigation have one end', () => {
  const page = (index: number) => ({ id: `p${index}`, url: 'a.html' });
  const text = JSON.stringify({ pages: numbered(60).map(page), nav_entries: numbered(110).map(page) });
  const { manifest, problems } = readManifest(HEAD + text.slice(1));
  assert.equal(manifest?.pages.length, 100);
  assert.deepEqual(
    problems.map(({ pointer }) => pointer),
    ['/nav_entries/100'],
  );
  const beyond = JSON.stringify({ pages: numbered(99).map(page), nav_entries: [100, 101].map(page) });
  assert.deepEqual(pointersOf(HEAD + beyond.slice(1)), ['/nav_entries/1']);
});

test('so do problems, and errors are never the ones that are cut', () => {
  const toldOf = (repeats: number) =>
    readManifest(`{"name": "A", "a": {${'"k":1,'.repeat(repeats)}"k":1}}`).problems;
  const [first, ...others] = toldOf(97);
  assert.deepEqual([first?.severity, others.length], ['error', 99]);
  assert.deepEqual(
    [97, 98, 500].map((repeats) => toldOf(repeats).at(-1)?.message),
    [
      'the key "k" appears twice; the last one counts',
      '1 more problem is not listed',
      '403 more problems are not listed',
    ],
  );
  const late = readManifest(`{"a": {${'"k":1,'.repeat(500)}"k":1}, "id": 4}`).problems;
  assert.ok(late.some(({ severity, pointer }) => severity === 'error' && pointer === '/id'));
});

test('the longest of ids, keys and descriptions', () => {
  const textOf = (most: number) => {
    const name = 'a'.repeat(most);
    return JSON.stringify({ commands: [{ id: name }], settings: { user: [{ key: name }] } }).slice(1);
  };
  assert.deepEqual(pointersOf(HEAD + textOf(64)), []);
  assert.deepEqual(pointersOf(HEAD + textOf(65)), ['/commands/0/id', '/settings/user/0/key']);
  const described = (most: number) =>
    JSON.stringify({ id: 'a', name: 'A', version: '1.0.0', description: 'd'.repeat(most) });
  assert.deepEqual(pointersOf(described(10_000)), []);
  assert.deepEqual(pointersOf(described(10_001)), ['/description']);
});
