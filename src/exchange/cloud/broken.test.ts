import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { startReplicas } from '../../../test/support/installs.ts';

const BROKEN = '---\nid: bo\nentity_type: character\nname: [Bo\n---\n';
const BO = '/api/entity/character/bo';

forEachDatabase((_name, open) => {
  describe('an entity whose file was broken on disk and then deleted, while somebody else edited it', () => {
    for (const where of ['an install', 'the cloud'] as const) {
      for (const how of ['by hand', 'by the API'] as const) {
        test(`${how} at ${where}: the edit brings it back everywhere`, async (t) => {
          const { hub, one, two, settle, close } = await startReplicas({ open });
          t.after(close);
          const made = await one.core.call('POST', '/api/entity/character', {
            body: { entity_id: 'bo', name: 'Bo', markdown_body: 'Text.\n' },
          });
          assert.equal(made.status, 201);
          await settle();
          const [core, other] = where === 'an install' ? [one.core, two.core] : [hub, one.core];
          const folder = join(core.contentDir, 'Characters/bo');
          writeFileSync(join(folder, 'CH_bo.md'), BROKEN);
          await core.call('POST', '/api/entity/sync/all');
          if (how === 'by hand') {
            rmSync(folder, { recursive: true });
            await core.call('POST', '/api/entity/sync/all', { body: { force: true } });
          } else assert.equal((await core.call('DELETE', BO)).status, 200);
          const edit = await other.call('PUT', BO, { body: { fields: { occupation: 'Smith' } } });
          assert.equal(edit.status, 200);
          for (const install of [one, two, one, two]) await install.sync();
          await settle();
          for (const each of [hub, one.core, two.core]) {
            const { body } = await each.call<{ markdown_body: string; fields: object; is_valid: boolean }>(
              'GET',
              BO,
            );
            assert.deepEqual([body.markdown_body, body.is_valid], ['Text.\n', true]);
            assert.equal((body.fields as { occupation: string }).occupation, 'Smith');
          }
          if (where === 'the cloud' && how === 'by the API') {
            const { body } = await hub.call<{ revisions: { version: number; changed: string[] }[] }>(
              'GET',
              `${BO}/revisions`,
            );
            const damaged = body.revisions.find(({ changed }) => changed.includes('unreadable'));
            const { body: kept } = await hub.call<{ content: string }>(
              'GET',
              `${BO}/revisions/${damaged?.version}`,
            );
            assert.equal(kept.content, BROKEN, 'what was in the file stays among the versions');
          }
        });
      }
    }
  });
});
