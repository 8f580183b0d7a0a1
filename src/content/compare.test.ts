import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../test/support/properties.ts';
import { type BodyBlock, compareContent } from './compare.ts';

const BASE = { name: 'Ada', status: 'active', fields: {}, markdown_body: '' };

function sideOf(blocks: readonly BodyBlock[], other: 'added' | 'removed'): string {
  return blocks
    .filter(({ kind }) => kind !== other)
    .flatMap(({ lines }) => lines)
    .join('\n');
}

test('fields and attributes are compared by value', () => {
  const before = { ...BASE, fields: { a: 1, b: { x: 1, y: 2 }, c: null } };
  const after = { ...BASE, name: 'Bo', fields: { a: 2, b: { y: 2, x: 1 }, d: [1] } };
  const { fields, attributes, identical } = compareContent(before, after);
  assert.deepEqual(fields, [
    { field: 'a', kind: 'changed', before: 1, after: 2 },
    { field: 'c', kind: 'removed', before: null },
    { field: 'd', kind: 'added', after: [1] },
  ]);
  assert.deepEqual(attributes, [{ field: 'name', kind: 'changed', before: 'Ada', after: 'Bo' }]);
  assert.equal(identical, false);
});

test('bodies are compared line by line', () => {
  const body = (text: string) => ({ ...BASE, markdown_body: text });
  assert.deepEqual(compareContent(body('one\ntwo\nthree\n'), body('one\n2\nthree\n')).body, [
    { kind: 'same', line_before: 1, line_after: 1, lines: ['one'] },
    { kind: 'removed', line_before: 2, lines: ['two'] },
    { kind: 'added', line_after: 2, lines: ['2'] },
    { kind: 'same', line_before: 3, line_after: 3, lines: ['three', ''] },
  ]);
});

test('the blocks put together are both bodies, and only equal contents are identical', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', '', '\r'), { maxLength: 12 })
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const result = compareContent({ ...BASE, markdown_body: before }, { ...BASE, markdown_body: after });
      assert.equal(sideOf(result.body, 'added'), before);
      assert.equal(sideOf(result.body, 'removed'), after);
      assert.equal(result.identical, before === after);
    }),
  );
});

test('bodies that have little in common are replaced as a whole, in bounded time', () => {
  const lines = (prefix: string) => Array.from({ length: 30_000 }, (_, i) => `${prefix}${i}`).join('\n');
  const { body } = compareContent(
    { ...BASE, markdown_body: lines('a') },
    { ...BASE, markdown_body: lines('b') },
  );
  assert.deepEqual(
    body.map(({ kind, lines: block }) => [kind, block.length]),
    [
      ['removed', 30_000],
      ['added', 30_000],
    ],
  );
});
