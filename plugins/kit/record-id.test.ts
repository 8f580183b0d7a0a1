import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordIdOf } from './record-id.ts';

test('the same names make the same UUID, and others another', () => {
  const id = recordIdOf('2026-11-28', 'character', 'mira_vale');
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(recordIdOf('2026-11-28', 'character', 'mira_vale'), id);
  const others = Array.from({ length: 5_000 }, (_, at) => recordIdOf('2026-11-28', 'character', `c${at}`));
  assert.equal(new Set([...others, id, recordIdOf('a', 'b'), recordIdOf('ab')]).size, 5_003);
});
