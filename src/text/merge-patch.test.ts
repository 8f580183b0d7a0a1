import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergePatch } from './merge-patch.ts';

test('objects merge at every depth, null removes, everything else replaces', () => {
  const target = { theme: 'dark', editor: { wrap: true, size: 12 }, recent: ['a', 'b'], old: 1 };
  const patch = {
    editor: { wrap: null, font: 'mono' },
    recent: ['c'],
    old: null,
    theme: { dark: true, x: null },
  };
  assert.deepEqual(mergePatch(target, patch), {
    theme: { dark: true },
    editor: { size: 12, font: 'mono' },
    recent: ['c'],
  });
  assert.deepEqual(target.editor, { wrap: true, size: 12 });
});
