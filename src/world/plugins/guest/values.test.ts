import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openedProject, startCore } from '../../../../test/support/core.ts';
import { forEachDatabase } from '../../../../test/support/databases.ts';
import { pluginZip, uploadPlugin } from '../../../../test/support/plugins.ts';
import { createGuestValues } from './values.ts';

forEachDatabase((_name, open) => {
  test('a call that outlasts its plugin, as in another process, stores nothing for the next of that id', async (t) => {
    const core = await startCore({ open, watch: false });
    t.after(() => core.close());
    const archive = pluginZip({ id: 'late' });
    assert.equal((await uploadPlugin(core, archive)).status, 201);
    const values = createGuestValues(openedProject(core), 'late');
    await values.set('key', 'before');
    assert.equal(await values.get('key'), 'before');
    assert.equal((await core.call('DELETE', '/api/plugins/late?purge=true')).status, 200);
    await assert.rejects(values.set('key', 'after'), /the plugin was removed/);
    assert.equal((await uploadPlugin(core, archive)).status, 201);
    assert.equal(await values.get('key'), null);
    await values.set('key', 'anew');
    assert.equal(await values.get('key'), 'anew');
  });
});
