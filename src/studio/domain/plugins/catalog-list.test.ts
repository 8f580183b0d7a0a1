import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type CatalogItem,
  fitting,
  offerOf,
  pluginsSearchOf,
  pluginsViewIn,
  updatesIn,
} from './catalog-list.ts';

const item = (more: Partial<CatalogItem> = {}): CatalogItem => ({
  id: 'word-count',
  kind: 'plugins',
  source: 'community',
  name: 'Word count',
  version: '1.1.0',
  description: 'Counts words.',
  author: 'Mira Voss',
  license: 'MIT',
  homepage: null,
  icon: null,
  trust_tier: 'community',
  permissions: [],
  size: 100,
  sha256: '',
  min_canonry: null,
  is_compatible: true,
  is_allowed: true,
  installed: null,
  has_update: false,
  ...more,
});
const at = (state: 'enabled' | 'broken') => ({ version: '1.0.0', state });

test('an item is offered for what can be done with it', () => {
  const offers: [CatalogItem, string][] = [
    [item(), 'install'],
    [item({ installed: at('enabled') }), 'installed'],
    [item({ installed: at('enabled'), has_update: true }), 'update'],
    [item({ installed: at('broken') }), 'again'],
    [item({ is_compatible: false }), 'too_old'],
    [item({ is_allowed: false }), 'not_allowed'],
    [item({ installed: at('enabled'), has_update: true, is_compatible: false }), 'too_old'],
    [item({ installed: at('enabled'), is_allowed: false }), 'installed'],
  ];
  for (const [given, offer] of offers) assert.equal(offerOf(given), offer, JSON.stringify(given));
});

test('only what can be updated is an update', () => {
  const newer = item({ id: 'newer', installed: at('enabled'), has_update: true });
  const items = [item(), newer, { ...newer, id: 'old', is_compatible: false }];
  assert.deepEqual([...updatesIn(items)], [['newer', newer]]);
});

test('items are found by all words that people read, and by source', () => {
  const items = [item(), item({ id: 'sky', name: 'Night sky', author: 'Tam', source: 'official' })];
  const idsOf = (text: string, source: CatalogItem['source'] | null = null) =>
    fitting(items, { text, source }).map(({ id }) => id);
  assert.deepEqual(idsOf(''), ['word-count', 'sky']);
  assert.deepEqual(idsOf(' NIGHT  tam '), ['sky']);
  assert.deepEqual(idsOf('night mira'), []);
  assert.deepEqual(idsOf('', 'official'), ['sky']);
});

test('what is shown is in the address', () => {
  for (const search of ['', '?show=catalog', '?show=catalog&source=official'])
    assert.equal(pluginsSearchOf(pluginsViewIn(search)), search);
  assert.deepEqual(pluginsViewIn('?show=other&source=official'), { show: 'installed', source: null });
  assert.deepEqual(pluginsViewIn('?show=catalog&source=other'), { show: 'catalog', source: null });
});
