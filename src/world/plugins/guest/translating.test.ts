import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openedProject, startCore } from '../../../../test/support/core.ts';
import { guestFile, wrapGuest } from '../../../../test/support/guests/build-guest.ts';
import { pluginFiles } from '../../../../test/support/plugins.ts';
import { saveFile } from '../../../../test/support/save-file.ts';
import { until } from '../../../../test/support/until.ts';

test('while a guest is translated, entities are saved and read, and afterwards it checks them', {
  timeout: 120_000,
}, async (t) => {
  const core = await startCore();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  t.after(async () => {
    release();
    await core.close();
  });
  const { files } = openedProject(core);
  const { read } = files;
  let isTranslating = false;
  t.mock.method(files, 'read', async (...asked: Parameters<typeof read>) => {
    if (asked[0].endsWith('/guest.wasm')) {
      isTranslating = true;
      await held;
    }
    return read(...asked);
  });
  // An upload would have translated it.
  const plugin = pluginFiles(
    { capabilities: { backend: { entry: 'guest.wasm' } } },
    { 'guest.wasm': await wrapGuest(guestFile('conformance-guest.core.wasm')) },
  );
  for (const [path, content] of Object.entries(plugin))
    saveFile(join(core.contentDir, '_Plugins/word-count', path), content);
  await core.call('POST', '/api/entity/sync/all');
  await until(() => isTranslating);

  const make = (entity_id: string) =>
    core.call('POST', '/api/entity/character', { body: { entity_id, name: 'Mira' } });
  const mira = '/api/entity/character/mira';
  assert.equal((await make('mira')).status, 201);
  const replies = await Promise.all([
    core.call('PUT', mira, { body: { fields: { occupation: 'keeper' } } }),
    core.call('PUT', mira, { body: { fields: { occupation: 'smith' } } }),
    core.call('GET', mira),
  ]);
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200, 200],
  );
  release();
  let tries = 0;
  await until(async () => {
    tries += 1;
    return (await make(`never_${tries}`)).body.code === 'refused_by_plugin';
  });
});
