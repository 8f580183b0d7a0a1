import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';

type Reply = { fields: Record<string, unknown>; production_status: unknown; version: number };

const FILE = `---
id: ada
entity_type: character
name: Ada
stats:
  body: 3 # weak
  wits: 9
  luck: 7
kin: {mother: ida, father: bo}
production_status:
  general: concept
  notes: keep
---

Text.
`;

forEachDatabase((_name, open) => {
  describe('a map in a change', () => {
    let core: TestCore;
    let path = '';
    before(async () => {
      core = await startCore({ open });
      path = join(core.contentDir, 'Characters/ada/CH_ada.md');
      await core.call('POST', '/api/entity/character', { body: { entity_id: 'ada', name: 'Ada' } });
    });
    after(() => core.close());

    const put = async (body: object) => {
      writeFileSync(path, FILE);
      await core.call('POST', '/api/entity/sync/character');
      const reply = await core.call<Reply>('PUT', '/api/entity/character/ada', { body });
      assert.equal(reply.status, 200, reply.text);
      return { ...reply.body, text: readFileSync(path, 'utf8') };
    };

    test('that the template types is merged with what the file has, and only its line changes', async () => {
      const { fields, text } = await put({ fields: { stats: { body: 8 } } });
      assert.equal(text, FILE.replace('body: 3', 'body: 8'));
      const { body, wits, luck } = fields.stats as Record<string, number>;
      assert.deepEqual([body, wits, luck], [8, 9, 7]);
    });

    test('loses the key that is null, and gets keys that the template does not know', async () => {
      const { text } = await put({ fields: { stats: { luck: null, charm: 2, fame: 1 } } });
      assert.match(text, /stats:\n {2}body: 3 # weak\n {2}wits: 9\n {2}charm: 2\n {2}fame: 1\n/);
    });

    test('is replaced as a whole where the change says so, or where nothing types it', async () => {
      const { text } = await put({
        fields: { stats: { $replace: { nerve: 1 } }, kin: { mother: 'eve' } },
      });
      assert.match(text, /stats:\n {2}nerve: 1\n/);
      assert.match(text, /kin: \{ ?mother: eve ?\}\n/);
    });

    test('is merged in production_status, too', async () => {
      const { production_status } = await put({ production_status: { general: 'complete' } });
      assert.deepEqual(production_status, { general: 'complete', notes: 'keep' });
    });

    test('of another type is refused, and nothing is written', async () => {
      writeFileSync(path, FILE);
      const { status } = await core.call('PUT', '/api/entity/character/ada', {
        body: { fields: { stats: { body: 'strong' } } },
      });
      assert.equal(status, 422);
      assert.equal(readFileSync(path, 'utf8'), FILE);
    });

    test('is merged with the version that the change was made from', async () => {
      const { version } = await put({ fields: { stats: { body: 4 } } });
      const { status, text } = await core.call('PUT', '/api/entity/character/ada', {
        body: { fields: { stats: { wits: 1 } }, base_version: version - 1 },
      });
      assert.equal(status, 200, text);
      assert.match(readFileSync(path, 'utf8'), /body: 4 # weak\n {2}wits: 1\n {2}luck: 7\n/);
    });
  });
});
