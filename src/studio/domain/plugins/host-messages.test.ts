import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { THEME_VARIABLES } from './host-messages.ts';

test('the 72 variables of the theme are those that the Studio is drawn with', () => {
  const tokens = readFileSync(new URL('../../kit/theme/tokens.css', import.meta.url), 'utf8');
  const inUse = new Set(
    Array.from(tokens.matchAll(/^ *(--surface-[\w-]+): light-dark/gm), ([, name]) => name),
  );
  assert.equal(inUse.size, 72);
  assert.deepEqual(new Set(THEME_VARIABLES), inUse);
});
