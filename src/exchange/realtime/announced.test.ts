import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { characterText, pathOf, pushed, replicaOf, startHub } from '../../../test/support/replication.ts';
import { checksumOf } from '../../kit/crypto.ts';
import type { EventOf } from '../../kit/event.ts';
import { entitiesChanged, entityUpdated } from '../../world/records/entity.events.ts';
import type { EventsReply } from './events.contract.ts';

type EntityUpdated = EventOf<typeof entityUpdated>;

forEachDatabase((_name, open) => {
  describe('a change of an entity is one event, on the bus as in the log', () => {
    let core: TestCore;
    let replica: ReturnType<typeof replicaOf>;
    let heard: EntityUpdated[] = [];
    let heardOfMany = 0;

    before(async () => {
      core = await startHub({ open });
      replica = replicaOf(core);
      core.bus.on(entityUpdated, (event, { tenantId, projectId }) => {
        assert.deepEqual([tenantId, projectId], ['local', 'default']);
        heard.push(event);
      });
      core.bus.on(entitiesChanged, () => {
        heardOfMany += 1;
      });
    });
    after(() => core.close());

    const eventsAfter = async (cursor = '') =>
      (await core.call<EventsReply>('GET', `/api/events?cursor=${cursor}&limit=1000`)).body;
    const call = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
      const reply = await core.call<Body>(method, path, { body });
      assert.ok(reply.status < 300, reply.text);
      return reply.body;
    };
    const sync = () => call('POST', '/api/sync/refresh-all', {});

    /** The last event of an entity has the state that the entity has now, and a deletion has none. */
    async function checkStates(events: EntityUpdated[]): Promise<void> {
      const latest = new Map(events.map((event) => [event.entity_id, event]));
      for (const { entity_type, entity_id, action, version, checksum } of latest.values()) {
        const { status, body } = await core.call<{ version: number; checksum: string }>(
          'GET',
          `/api/entity/${entity_type}/${entity_id}`,
        );
        const state = status === 404 ? [undefined, undefined] : [body.version, body.checksum];
        assert.deepEqual([version, checksum], state, `${action} ${entity_id}`);
      }
      const known = events.filter((event) => event.version !== undefined && event.checksum !== undefined);
      assert.deepEqual(
        known,
        events.filter(({ action }) => action !== 'delete'),
      );
    }

    /** Runs `work` and resolves to what it announced, after checking that bus and log agree. */
    async function toldBy(work: () => Promise<unknown>): Promise<string[]> {
      await core.bus.idle();
      heard = [];
      const { body } = await core.call<EventsReply>('GET', '/api/events');
      await work();
      await core.bus.idle();
      const { events, reset } = await eventsAfter(body.cursor);
      assert.equal(reset, false);
      const logged = events.flatMap((event): EntityUpdated[] => {
        if (event.type !== 'entity_updated') return [];
        const { cursor: _, ...rest } = event;
        return [rest];
      });
      assert.deepEqual(heard, logged);
      await checkStates(logged);
      return logged.map(
        ({ action, entity_id, updated_fields, updated_by }) =>
          `${action} ${entity_id}${updated_fields.map((field) => ` ${field}`).join('')}${updated_by === null ? '' : ' by somebody'}`,
      );
    }

    test('made by the API', async () => {
      const mira = '/api/entity/character/mira';
      const told = await toldBy(async () => {
        await call('POST', '/api/entity/character', { entity_id: 'mira', name: 'Mira' });
        await call('PUT', mira, { name: 'Mira Voss', fields: { occupation: 'Pilot' } });
        await call('PUT', mira, { name: 'Mira Voss' });
        await call('POST', `${mira}/revisions/1/restore`);
        await call('DELETE', mira);
        const { items } = await call<{ items: { item_id: string }[] }>('GET', '/api/recycle-bin');
        await call('POST', `/api/recycle-bin/${items[0]?.item_id}/restore`);
      });
      assert.deepEqual(told, [
        'create mira by somebody',
        'update mira name occupation by somebody',
        'restore mira * by somebody',
        'delete mira by somebody',
        'restore mira by somebody',
      ]);
    });

    test('a rename is the end of one and the beginning of another', async () => {
      await call('POST', '/api/entity/character', { entity_id: 'old_name', name: 'Old' });
      const told = await toldBy(() =>
        call('POST', '/api/rename-entity', {
          entity_type: 'character',
          old_id: 'old_name',
          new_id: 'new_name',
        }),
      );
      assert.deepEqual(told, ['create new_name id by somebody', 'delete old_name by somebody']);
    });

    test('made to files', async () => {
      const told = await toldBy(async () => {
        replica.write(pathOf('filed'), characterText('filed'));
        await sync();
        replica.write(pathOf('filed'), characterText('filed', { age: 31 }));
        await sync();
        replica.write(pathOf('filed'), '---\nid: [\n---\n');
        await sync();
        replica.write(pathOf('filed'), characterText('filed', { age: 31 }));
        await sync();
        rmSync(join(core.contentDir, 'Characters/filed'), { recursive: true });
        await sync();
      });
      assert.deepEqual(told, [
        'create filed',
        'update filed',
        'update filed is_valid validation_errors',
        'update filed is_valid validation_errors',
        'delete filed',
      ]);
    });

    test('imported', async () => {
      const people = [{ name: 'Imported one' }, { name: 'Imported two' }];
      const told = await toldBy(() =>
        call('POST', '/api/import/smart', { content: JSON.stringify(people), entity_type: 'character' }),
      );
      assert.deepEqual(told.toSorted(), [
        'create imported_one by somebody',
        'create imported_two by somebody',
      ]);
    });

    test('pushed by an install', async () => {
      const changed = characterText('pushed', { age: 31 });
      const base = { base_checksum: checksumOf(characterText('pushed')) };
      const base2 = { base_checksum: checksumOf(changed) };
      const to = 'Characters/elsewhere/CH_pushed.md';
      const told = await toldBy(async () => {
        await replica.push([pushed('pushed', characterText('pushed'))]);
        await replica.push([pushed('pushed', changed, 2, base)]);
        await replica.push([
          pushed('pushed', changed, 3, { ...base2, path: to, base_path: pathOf('pushed') }),
        ]);
        await replica.push([
          { entity_type: 'character', entity_id: 'pushed', version: 4, deleted: true, ...base2 },
        ]);
      });
      assert.deepEqual(told, [
        'create pushed by somebody',
        'update pushed age by somebody',
        'update pushed by somebody',
        'delete pushed by somebody',
      ]);
    });

    test('more in one transaction than is named are one event that names none', async () => {
      const { cursor } = (await core.call<EventsReply>('GET', '/api/events')).body;
      for (let index = 0; index < 51; index += 1)
        replica.write(pathOf(`many_${index}`), characterText(`many_${index}`));
      [heard, heardOfMany] = [[], 0];
      await sync();
      await core.bus.idle();
      assert.deepEqual([heard.length, heardOfMany], [0, 1]);
      assert.equal((await eventsAfter(cursor)).reset, true);
    });
  });
});
