import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { CompiledQuery } from 'kysely';
import type { TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { characterText, pushed, replicaOf, startHub } from '../../../test/support/replication.ts';

/** Only what the specification says of a pull's reply. */
interface SpecifiedPage {
  entities: { entity_id: string }[];
  has_more: boolean;
  server_timestamp: string;
}

const WRITERS = 4;
const EACH = 30;

forEachDatabase((name, open) => {
  describe('a pull by `since`, as specified', () => {
    let core: TestCore;
    let push: ReturnType<typeof replicaOf>['push'];
    before(async () => {
      core = await startHub({ open });
      ({ push } = replicaOf(core));
    });
    after(() => core.close());

    /** A client that only knows `since` and sends the last `server_timestamp`. */
    function specifiedClient(limit = '') {
      const seen = new Map<string, number>();
      let since = '';
      let pages = 0;
      return {
        seen,
        pages: () => pages,
        async catchUp() {
          for (let round = 1; ; round += 1) {
            assert.ok(round < 200, 'the pages never end');
            const query = new URLSearchParams({ ...(since && { since }), ...(limit && { limit }) });
            const { status, body } = await core.call<SpecifiedPage>('GET', `/api/desktop/sync/pull?${query}`);
            assert.equal(status, 200);
            pages += 1;
            for (const { entity_id: id } of body.entities) seen.set(id, (seen.get(id) ?? 0) + 1);
            since = body.server_timestamp;
            if (!body.has_more) return;
          }
        },
      };
    }

    const made = (prefix: string, count: number) =>
      push(
        Array.from({ length: count }, (_, index) => `${prefix}_${index}`).map((id) =>
          pushed(id, characterText(id)),
        ),
      );

    test('gets every page of what came at once', async () => {
      await made('bulk', 57);
      const client = specifiedClient('10');
      await client.catchUp();
      const bulk = [...client.seen.keys()].filter((id) => id.startsWith('bulk'));
      assert.equal(bulk.length, 57);
      await made('more', 23);
      await client.catchUp();
      assert.equal([...client.seen.keys()].filter((id) => id.startsWith('more')).length, 23);
      assert.ok(client.pages() < 20, `${client.pages()} pages`);
    });

    test('misses nothing that others write meanwhile', async () => {
      const client = specifiedClient('7');
      await client.catchUp();
      let writing = WRITERS;
      const writers = Array.from({ length: WRITERS }, async (_, writer) => {
        for (let index = 0; index < EACH; index += 1) {
          const entity_id = `w${writer}_${index}`;
          const { status } = await core.call('POST', '/api/entity/character', {
            body: { entity_id, name: entity_id },
          });
          assert.equal(status, 201);
        }
        writing -= 1;
      });
      while (writing > 0) {
        await client.catchUp();
        await pause(1);
      }
      await Promise.all(writers);
      await client.catchUp();
      const missed = Array.from(
        { length: WRITERS * EACH },
        (_, index) => `w${index % WRITERS}_${Math.floor(index / WRITERS)}`,
      ).filter((id) => !client.seen.has(id));
      assert.deepEqual(missed, []);
    });

    test('is told again of the same time while nothing changed, and of nothing else', async () => {
      const client = specifiedClient();
      await client.catchUp();
      const before = new Map(client.seen);
      await client.catchUp();
      assert.deepEqual(client.seen, before);
    });

    test('says that everything is listed on the last page alone', async () => {
      const pages: { complete: boolean; listing: boolean; has_more: boolean }[] = [];
      for (let query = 'limit=30'; ; ) {
        const { body } = await core.call<(typeof pages)[number] & SpecifiedPage>(
          'GET',
          `/api/desktop/sync/pull?${query}`,
        );
        pages.push(body);
        if (!body.has_more) break;
        query = `limit=30&since=${body.server_timestamp}`;
      }
      assert.ok(pages.length > 2);
      for (const { complete, listing, has_more } of pages)
        assert.deepEqual([listing, complete], [true, !has_more]);
    });

    if (name === 'postgres')
      test('misses nothing of a transaction that commits late', async () => {
        const client = specifiedClient();
        await client.catchUp();
        const release = Promise.withResolvers<void>();
        const locked = Promise.withResolvers<void>();
        // Holds a lock that every commit needs, like a slow disk.
        const slow = core.opened.database.system.write(async (db) => {
          await db.executeQuery(CompiledQuery.raw('select 1 from projects for update'));
          locked.resolve();
          await release.promise;
        });
        await locked.promise;
        const late = core.call('POST', '/api/entity/character', {
          body: { entity_id: 'late', name: 'Late' },
        });
        for (let round = 0; round < 5; round += 1) await client.catchUp();
        release.resolve();
        await slow;
        assert.equal((await late).status, 201);
        await client.catchUp();
        assert.ok(client.seen.has('late'));
      });
  });
});
