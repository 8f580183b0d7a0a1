import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TestCore } from '../../../test/support/core.ts';
import { forEachDatabase, type OpenedDatabase } from '../../../test/support/databases.ts';
import { characterText, liveOf, pushed, replicaOf, startHub } from '../../../test/support/replication.ts';
import type { PullReply } from './pull.contract.ts';

interface Cloud {
  existing: OpenedDatabase;
  contentDir: string;
}

const numberOf = (cursor: string): number => Number(cursor.split('-')[1]);

forEachDatabase((_name, open) => {
  describe('a backup that was brought back', () => {
    let present: Cloud;
    let backup: Cloud;
    /** Issued before the backup. */
    let early: string;

    before(async () => {
      const existing = await open();
      present = { existing, contentDir: folder() };
      const core = await startHub({
        open: async () => ({ ...existing, close: existing.release }),
        content: 'templates',
      });
      await create(core, 'kept');
      early = (await replicaOf(core).pullAll()).cursor;
      cpSync(core.contentDir, present.contentDir, { recursive: true });
      await core.close();
      backup = { existing: await existing.copy(), contentDir: folder() };
      cpSync(present.contentDir, backup.contentDir, { recursive: true });
    });
    after(async () => {
      for (const { existing, contentDir } of [present, backup]) {
        await existing.close();
        rmSync(contentDir, { recursive: true });
      }
    });

    const folder = () => mkdtempSync(join(tmpdir(), 'cloud-'));
    const create = (core: TestCore, id: string) => replicaOf(core).push([pushed(id, characterText(id))]);
    const during = async <Result>(
      cloud: Cloud,
      work: (core: TestCore) => Promise<Result>,
    ): Promise<Result> => {
      const core = await startHub(cloud);
      return work(core).finally(() => core.close());
    };

    test('a cursor of what was lost lists everything, though others took its number meanwhile', async () => {
      const lost = await during(present, async (core) => {
        await create(core, 'lost');
        return (await replicaOf(core).pullAll('files=true')).cursor;
      });
      await during(backup, async (core) => {
        const replica = replicaOf(core);
        const first = await replica.pull(`cursor=${lost}`);
        assert.deepEqual([first.complete, namesOf(first)], [true, ['kept']]);
        await create(core, 'other');
        while (numberOf((await replica.pullAll()).cursor) <= numberOf(lost)) await touch(core);
        await create(core, 'latest');

        const late = await replica.pullAll(`cursor=${lost}`);
        assert.deepEqual([late.complete, namesOf(late).sort()], [true, ['kept', 'latest', 'other']]);
        const own = await replica.push([pushed('mine', characterText('mine'))], { cursor: lost });
        assert.equal(own.body.cursor, null);

        const known = await replica.pullAll(`cursor=${early}`);
        assert.equal(known.complete, false);
      });
    });

    const namesOf = ({ entities }: Pick<PullReply, 'entities'>) =>
      liveOf(entities).map(({ entity_id }) => entity_id);
    const touch = (core: TestCore) =>
      core.call('PUT', `/api/entity/character/other`, { body: { fields: { age: Math.random() } } });
  });
});
