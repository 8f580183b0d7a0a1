import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { TestCore } from '../../../test/support/core.ts';
import { forEachDatabase, type OpenedDatabase } from '../../../test/support/databases.ts';
import { type Installation, startInstallation, treeOf } from '../../../test/support/installs.ts';
import { listen } from '../../../test/support/listen.ts';
import { startHub } from '../../../test/support/replication.ts';
import { LOCAL_TENANT } from '../../access/local-tenant.ts';

interface Cloud {
  existing: OpenedDatabase;
  contentDir: string;
}

const fileOf = (id: string) => `Characters/${id}/CH_${id}.md`;
const PICTURE = 'Characters/ada/portrait.png';
const TEMPLATE = '_Templates/Standard/CHARACTER_TEMPLATE.md';

forEachDatabase((_name, open) => {
  describe('a cloud whose backup is brought back', () => {
    test('gets back from the installs what was written since, and nothing of theirs goes', async (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'restored-'));
      t.after(() => rmSync(folder, { recursive: true }));
      const existing = await open();
      t.after(() => existing.close());
      const present: Cloud = { existing, contentDir: join(folder, 'present') };

      const first = await startHub({
        open: async () => ({ ...existing, close: existing.release }),
        content: 'templates',
      });
      const url = await listen(first);
      const link = { url, token: first.adminToken };
      const installs = await Promise.all([
        startInstallation(link, { open }),
        startInstallation(link, { open }),
      ]);
      const [one, two] = installs as [Installation, Installation];
      t.after(() => Promise.all(installs.map(({ core }) => core.close())));
      const settled = async ({ contentDir }: { contentDir: string }) => {
        for (const install of [one, two, one]) await install.sync();
        for (const install of installs) assert.deepEqual(install.tree(), treeOf(contentDir));
      };
      for (const id of ['ada', 'bo', 'cy', 'di', 'ed']) await create(one, id);
      await settled(first);
      cpSync(first.contentDir, present.contentDir, { recursive: true });
      await first.close();
      const backup: Cloud = { existing: await existing.copy(), contentDir: join(folder, 'backup') };
      t.after(() => backup.existing.close());
      cpSync(present.contentDir, backup.contentDir, { recursive: true });

      /** Serves one of the cloud's states at its address. */
      const during = async (cloud: Cloud, work: (core: TestCore) => Promise<void>) => {
        const core = await startHub(cloud);
        await core.app.listen({ host: '127.0.0.1', port: Number(new URL(url).port) });
        const tokens = { access_token: core.adminToken, refresh_token: 'none', expires_in: 3600 };
        for (const install of installs)
          await install.core.cloudSync.links.save(LOCAL_TENANT, {
            url,
            ...tokens,
            account: 'admin@example.com',
          });
        await work(core).finally(() => core.close());
      };

      await during(present, async (core) => {
        await update(one.core, 'ada', 'Of today.');
        await update(one.core, 'ada', 'Of this hour.');
        await update(two.core, 'bo', 'Here, of today.');
        await create(one, 'eve');
        await two.write(PICTURE, Buffer.from('picture'));
        await two.write(TEMPLATE, `${two.read(TEMPLATE)}\nMore guidance.\n`);
        await settled(core);
      });
      const before = one.tree();

      await during(backup, async (core) => {
        await update(core, 'bo', 'There, after the backup.');
        await update(one.core, 'cy', 'Of this minute.');
        const { error } = await two.core.cloudSync.pullAll(two.project, { force: true });
        assert.equal(error, null);
        assert.deepEqual([...two.tree().keys()], [...before.keys()]);
        await settled(core);
        const { conflicts } = (await core.call<{ conflicts: object[] }>('GET', '/api/conflicts')).body;
        assert.equal(conflicts.length, 1, JSON.stringify(conflicts));
        assert.match(JSON.stringify(conflicts), /Here, of today/);
        assert.match(JSON.stringify(conflicts), /There, after the backup/);
      });
      assert.match(one.read(fileOf('cy')), /Of this minute/);
      for (const path of [fileOf('ada'), fileOf('eve'), PICTURE, TEMPLATE])
        assert.equal(one.tree().get(path), before.get(path), path);
      assert.deepEqual([...one.tree().keys()], [...before.keys()]);
    });
  });
});

async function create({ core }: Installation, id: string): Promise<void> {
  const body = { entity_id: id, name: id, markdown_body: 'Of yesterday.\n' };
  const reply = await core.call('POST', '/api/entity/character', { body });
  assert.equal(reply.status, 201, reply.text);
}

async function update(core: TestCore, id: string, text: string): Promise<void> {
  const body = { markdown_body: `${text}\n` };
  const reply = await core.call('PUT', `/api/entity/character/${id}`, { body });
  assert.equal(reply.status, 200, reply.text);
}
