import assert from 'node:assert/strict';
import { it } from 'node:test';
import { keyValueConformance } from '../kv.conformance.ts';
import { createMemoryKeyValue } from './memory-kv.ts';

keyValueConformance('memory', async () => createMemoryKeyValue());

it('drops the oldest values when there are too many', async () => {
  const store = createMemoryKeyValue({ maxEntries: 3 });
  for (const key of ['a', 'b', 'c', 'a', 'd']) await store.set(key, key, { ttlMs: 60_000 });
  const kept = await Promise.all(['a', 'b', 'c', 'd'].map((key) => store.get(key)));
  assert.deepEqual(kept, ['a', undefined, 'c', 'd']);
});
