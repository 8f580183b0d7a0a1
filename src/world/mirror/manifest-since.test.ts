import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';

interface Diff {
  added: string[];
  removed: string[];
  modified: string[];
}

const WRITERS = 4;
const EACH = 15;

forEachDatabase((_name, open) => {
  describe('a manifest and its diffs', () => {
    let core: TestCore;
    before(async () => {
      core = await startCore({ open });
    });
    after(() => core.close());

    const snapshot = async () => {
      const { body } = await core.call<{ generated_at: string; entries: { relative_path: string }[] }>(
        'GET',
        '/api/manifest',
      );
      return { at: body.generated_at, paths: new Set(body.entries.map((entry) => entry.relative_path)) };
    };
    const diffSince = async (since: string): Promise<Diff> => {
      const { body } = await core.call<{ diff: Diff }>('GET', `/api/manifest/diff?since=${since}`);
      return body.diff;
    };

    test('lack nothing that others write while manifests are read', async () => {
      const snapshots: Awaited<ReturnType<typeof snapshot>>[] = [];
      let writing = WRITERS;
      const writers = Array.from({ length: WRITERS }, async (_, writer) => {
        for (let index = 0; index < EACH; index += 1) {
          const id = `w${writer}_${index}`;
          await core.call('POST', '/api/entity/character', { body: { entity_id: id, name: id } });
          if (index % 3 === 2) await core.call('DELETE', `/api/entity/character/${id}`);
        }
        writing -= 1;
      });
      while (writing > 0) {
        snapshots.push(await snapshot());
        await pause(1);
      }
      await Promise.all(writers);
      const end = await snapshot();
      assert.ok(snapshots.length > 3);
      for (const { at, paths } of snapshots) {
        const { added, modified, removed } = await diffSince(at);
        for (const path of [...added, ...modified]) paths.add(path);
        for (const path of removed) paths.delete(path);
        assert.deepEqual(
          [...end.paths].filter((path) => !paths.has(path)),
          [],
        );
        assert.deepEqual(
          [...paths].filter((path) => !end.paths.has(path)),
          [],
        );
      }
      assert.deepEqual(await diffSince(end.at), { added: [], removed: [], modified: [] });
    });
  });
});
