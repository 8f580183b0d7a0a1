import assert from 'node:assert/strict';
import { test } from 'node:test';
import { samplePlugin } from '../../testing/sample-plugin.ts';
import {
  frameAddress,
  grantedTo,
  type PluginPanel,
  panelsAt,
  readPartName,
  widgetNamed,
} from './plugin-list.ts';

const url = 'http://p1.localhost:8000/api/plugins/panel/words/goals/';
const panel: PluginPanel = {
  id: 'goals',
  title: 'Goals',
  location: 'entity-sidebar',
  entity_types: [],
  icon: null,
  url,
};

test('panels are shown where they say, for the types that they say, of enabled plugins with files', () => {
  const plugins = [
    samplePlugin({
      panels: [
        panel,
        { ...panel, id: 'quests', entity_types: ['quest'] },
        { ...panel, id: 'tab', location: 'entity-tab' },
        { ...panel, id: 'lost', url: null },
      ],
    }),
    samplePlugin({ id: 'off', state: 'disabled', panels: [panel] }),
    samplePlugin({ id: 'asked', state: 'waiting', panels: [panel] }),
  ];
  const ids = (type: string) =>
    panelsAt(plugins, 'entity-sidebar', type).map(({ plugin, id }) => `${plugin.id} ${id}`);
  assert.deepEqual(ids('character'), ['words goals']);
  assert.deepEqual(ids('quest'), ['words goals', 'words quests']);
  assert.equal(panelsAt(plugins, 'entity-tab', 'quest').length, 1);
  assert.equal(panelsAt(plugins, 'entity-footer', 'quest').length, 0);
});

test('a widget is found by its name, unless its plugin is not enabled', () => {
  const widgets = [
    { id: 'meter', label: 'Meter', category: null, accepts_options: true, value_type: null, url },
  ];
  const plugin = samplePlugin({ widgets });
  assert.equal(widgetNamed([plugin], 'plugin:words:meter')?.surface.title, 'Meter');
  for (const name of ['plugin:words:other', 'plugin:other:meter', 'meter', 'plugin:words', ''])
    assert.equal(widgetNamed([plugin], name), undefined, name);
  assert.equal(widgetNamed([{ ...plugin, state: 'blocked' }], 'plugin:words:meter'), undefined);
  assert.deepEqual(readPartName('plugin:a:b'), { plugin: 'a', part: 'b' });
});

test('only what was granted counts', () => {
  const of = (permission: string, state: 'granted' | 'refused' | 'asked') => ({
    permission,
    state,
    needs_consent: true,
    answered_by: null,
    answered_at: null,
  });
  const permissions = [of('a', 'granted'), of('b', 'refused'), of('c', 'asked')];
  assert.deepEqual([...grantedTo(samplePlugin({ permissions }))], ['a']);
});

test('the address of a frame says of which entity and in which theme', () => {
  const query = { entity_type: 'character', entity_id: 'a b&c', theme: 'dark' };
  assert.equal(
    frameAddress(url, query, 'http://studio/'),
    `${url}?entity_type=character&entity_id=a+b%26c&theme=dark`,
  );
  assert.equal(
    frameAddress(
      '/api/plugins/panel/words/x/?v=1',
      { entity_type: null, entity_id: null, theme: 'light' },
      'http://studio/w',
    ),
    'http://studio/api/plugins/panel/words/x/?v=1&theme=light',
  );
});
