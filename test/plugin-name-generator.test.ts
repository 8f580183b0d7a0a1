import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCore } from './support/core.ts';
import { installPlugin } from './support/our-plugins.ts';

test('names of a service are new to it, and sound like a culture or like its entries', async (t) => {
  const core = await startCore({ content: 'templates' });
  t.after(core.close);
  await installPlugin(core, 'name-generator', {
    settings: { cultures: 'Elves: Aelin, Aeloth, Baelin, Faeloth, Maelin, Raeloth' },
  });
  const ask = async (query: string) =>
    (
      await core.call<{ names: string[]; detail: string }>(
        'GET',
        `/api/plugins/name-generator/custom/names?seed=s&${query}`,
      )
    ).body;
  const { names } = await ask('culture=hills&count=6');
  assert.equal(names.length, 6);
  const [first = '', second = ''] = names;
  for (const [entity_id, name] of [
    ['one', first],
    ['two', second.toUpperCase()],
    ['three', 'Torwen Harrach'],
  ])
    await core.call('POST', '/api/entity/character', { body: { entity_id, name } });
  const later = (await ask('culture=hills&count=6')).names;
  assert.deepEqual(later.slice(0, 4), names.slice(2));
  assert.equal((await ask('culture=elves&count=2')).names.length, 2);
  assert.ok(Array.isArray((await ask('culture=type:character&count=2')).names));
  assert.match((await ask('culture=orcs')).detail, /no culture 'orcs'/);
});
