import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachDatabase } from '../../../../test/support/databases.ts';
import { coreTexts, driveTexts, startSyncedCore } from '../../../../test/support/drive/synced-core.ts';

const ADA = 'Characters/ada/CH_ada.md';

interface Conflict {
  conflict_id: string;
  local: { markdown_body: string; updated_by: string | null };
  remote: { markdown_body: string; updated_by: string | null };
}

forEachDatabase((_name, open) => {
  test('a conflict with a drive names both sides, and is resolved with either of them', async (t) => {
    const { core, server, folderId, force, select, character, ask } = await startSyncedCore(t, { open });
    await character('ada');
    await select();
    await force();
    const mira = server.person('Mira');

    async function disputed(here: string, there: string): Promise<Conflict> {
      const { version } = await ask<{ version: number }>(200, 'GET', '/api/entity/character/ada');
      mira.edit(
        server.at(ADA, folderId)?.id ?? '',
        (driveTexts(server, folderId)[ADA] ?? '').replace(/^Of .*$/m, there),
      );
      await ask(200, 'PUT', '/api/entity/character/ada', {
        body: { base_version: version, markdown_body: `${here}\n` },
      });
      await force();
      assert.match(coreTexts(core.contentDir)[ADA] ?? '', new RegExp(there));
      const { conflicts } = await ask<{ conflicts: Conflict[] }>(200, 'GET', '/api/conflicts');
      const [conflict, ...others] = conflicts;
      assert.ok(conflict && others.length === 0);
      assert.deepEqual(
        [conflict.local.markdown_body, conflict.remote.markdown_body].map((text) => text.trim()),
        [here, there],
      );
      assert.equal(conflict.remote.updated_by, 'Mira');
      return conflict;
    }

    async function resolved({ conflict_id }: Conflict, resolution: string, text: string) {
      await ask(200, 'POST', `/api/conflicts/${conflict_id}/resolve`, { body: { resolution } });
      await force();
      for (const texts of [coreTexts(core.contentDir), driveTexts(server, folderId)])
        assert.match(texts[ADA] ?? '', new RegExp(text));
      const { conflicts } = await ask<{ conflicts: Conflict[] }>(200, 'GET', '/api/conflicts');
      assert.deepEqual(conflicts, []);
    }

    await resolved(await disputed('Of the mill.', 'Of the quay.'), 'local', 'Of the mill.');
    await resolved(await disputed('Of the hill.', 'Of the bridge.'), 'remote', 'Of the bridge.');
  });
});
