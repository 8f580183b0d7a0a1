import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { sha256Hex } from '../../kit/crypto.ts';

interface Entry {
  relative_path: string;
  entity_type: string | null;
  entity_id: string | null;
  entry_type: string;
  size_bytes: number;
  checksum_sha256: string;
  mime_type: string | null;
  preview_available: boolean;
}
interface Manifest {
  manifest_version: number;
  generated_at: string;
  total_entries: number;
  total_size_bytes: number;
  entries: Entry[];
}
interface Diff {
  added: string[];
  removed: string[];
  modified: string[];
}

const text = (id: string, name = id) => `---\nid: ${id}\nname: ${name}\n---\n`;

forEachDatabase((_name, open) => {
  describe('manifest', () => {
    let core: TestCore;
    before(async () => {
      core = await startCore({ open });
      put('ada');
      put('bob');
      writeFileSync(join(core.contentDir, 'Characters/ada/portrait.png'), 'no real image');
      writeFileSync(join(core.contentDir, 'Characters/ada/.hidden.md'), 'hidden');
      await refresh();
    });
    after(() => core.close());

    const put = (id: string, name?: string) => {
      mkdirSync(join(core.contentDir, 'Characters', id), { recursive: true });
      writeFileSync(join(core.contentDir, 'Characters', id, `CH_${id}.md`), text(id, name));
    };
    const refresh = async () => {
      const reply = await core.call<{ manifest: Manifest; diff: Diff; refreshed_at: string }>(
        'POST',
        '/api/manifest/refresh',
      );
      assert.equal(reply.status, 200, reply.text);
      return reply.body;
    };
    const manifest = async () => (await core.call<Manifest>('GET', '/api/manifest')).body;
    const diffSince = (since: string) =>
      core.call<{ type: string; diff: Diff; manifest: Manifest; detail: string }>(
        'GET',
        `/api/manifest/diff?since=${encodeURIComponent(since)}`,
      );

    test('has every visible file with its checksum', async () => {
      const { entries, total_entries, total_size_bytes } = await manifest();
      assert.equal(entries.length, total_entries);
      assert.equal(
        entries.reduce((sum, entry) => sum + entry.size_bytes, 0),
        total_size_bytes,
      );
      assert.equal(
        entries.some((entry) => entry.relative_path.includes('.hidden')),
        false,
      );
      const ada = entries.find((entry) => entry.relative_path === 'Characters/ada/CH_ada.md');
      assert.equal(ada?.checksum_sha256, sha256Hex(text('ada')));
      assert.deepEqual([ada?.entity_type, ada?.entity_id, ada?.entry_type], ['character', 'ada', 'markdown']);
      const portrait = entries.find((entry) => entry.relative_path.endsWith('portrait.png'));
      assert.deepEqual(
        [portrait?.entry_type, portrait?.mime_type, portrait?.preview_available],
        ['asset', 'image/png', true],
      );
      assert.ok(entries.some((entry) => entry.entry_type === 'template'));
    });

    test('its version stays while nothing changes and grows when something does', async () => {
      // A file that has just changed is read once more, and counts as modified then.
      await pause(100);
      const first = await refresh();
      const second = await refresh();
      assert.equal(second.manifest.manifest_version, first.manifest.manifest_version);
      assert.deepEqual(second.diff, { added: [], removed: [], modified: [] });
      await core.call('POST', '/api/entity/character', { body: { entity_id: 'by_api', name: 'By API' } });
      assert.ok((await manifest()).manifest_version > first.manifest.manifest_version);
    });

    test('a refresh and a diff tell what came, went and changed', async () => {
      await pause(5);
      const before = await refresh();
      await pause(5);
      put('ada', 'Changed');
      put('cleo');
      rmSync(join(core.contentDir, 'Characters/bob'), { recursive: true });
      const expected = {
        added: ['Characters/cleo/CH_cleo.md'],
        removed: ['Characters/bob/CH_bob.md'],
        modified: ['Characters/ada/CH_ada.md'],
      };
      const { diff } = await refresh();
      assert.deepEqual(diff, expected);
      const since = await diffSince(before.manifest.generated_at);
      assert.deepEqual([since.body.type, since.body.diff], ['diff', expected]);
    });

    test('a time before the journal is answered with the whole manifest, none at all with 422', async () => {
      const old = await diffSince('2001-01-01');
      assert.equal(old.body.type, 'full');
      assert.ok(old.body.manifest.total_entries > 0);
      assert.equal((await diffSince('yesterday')).status, 422);
      assert.equal((await core.call('GET', '/api/manifest/diff')).status, 422);
    });

    test('one entry can be asked for by its path', async () => {
      const entry = await core.call<Entry>('GET', '/api/manifest/entry/Characters/ada/portrait.png');
      assert.deepEqual([entry.status, entry.body.relative_path], [200, 'Characters/ada/portrait.png']);
      assert.equal((await core.call('GET', '/api/manifest/entry/Characters/nobody.md')).status, 404);
    });

    test('a viewer reads it and may not refresh it', async () => {
      const token = await core.registerViewer();
      assert.equal((await core.call('GET', '/api/manifest', { token })).status, 200);
      assert.equal((await core.call('POST', '/api/manifest/refresh', { token })).status, 403);
    });
  });
});
