import assert from 'node:assert/strict';
import { test } from 'node:test';
import { samplePlugin } from '../../testing/sample-plugin.ts';
import { placedPanel } from './placed-panel.ts';
import type { PluginPanel } from './plugin-list.ts';

const panel: PluginPanel = {
  id: 'goals',
  title: 'Goals',
  location: 'entity-sidebar',
  entity_types: [],
  icon: null,
  url: 'http://p1.localhost:8000/api/plugins/panel/words/goals/',
};
const GOALS = 'plugin:words:goals';

test('a panel is found by its name, wherever its manifest wants it', () => {
  for (const location of ['entity-sidebar', 'entity-tab', 'entity-footer'] as const) {
    const found = placedPanel([samplePlugin({ panels: [{ ...panel, location }] })], GOALS, 'character');
    assert.ok(found && 'surface' in found, location);
    assert.equal(found.surface.title, 'Goals');
  }
});

test('a panel that cannot be shown is told with its reason', () => {
  const why = (plugins: Parameters<typeof placedPanel>[0], name = GOALS) => {
    const found = placedPanel(plugins, name, 'character');
    return found && 'why' in found ? [found.why, found.plugin, found.panel] : found;
  };
  assert.deepEqual(why([]), ['not-installed', 'words', 'goals']);
  for (const state of ['disabled', 'waiting', 'blocked', 'broken'] as const)
    assert.deepEqual(why([samplePlugin({ state, panels: [panel] })]), [state, 'Words', 'Goals']);
  assert.deepEqual(why([samplePlugin()]), ['no-panel', 'Words', 'goals']);
  assert.deepEqual(why([samplePlugin({ panels: [{ ...panel, entity_types: ['item'] }] })]), [
    'other-type',
    'Words',
    'Goals',
  ]);
  assert.deepEqual(why([samplePlugin({ panels: [{ ...panel, url: null }] })]), [
    'no-files',
    'Words',
    'Goals',
  ]);
  assert.equal(why([], 'weather'), undefined);
});
