import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openedProject, startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import type { ReplyOf } from '../../kit/contract.ts';
import { forgetEvents } from '../records/index.ts';
import type { listNames } from './names.contract.ts';

type NamesReply = ReplyOf<typeof listNames>;

forEachDatabase((_name, open) => {
  describe('names of all entities', () => {
    let core: TestCore;
    before(async () => {
      core = await startCore({ open });
      await create('mira', { name: 'Mira Vale', fields: { aliases: ['The Clock', 'Mimi'] } });
      await create('tomas', { name: 'Tomás "Tom" O’Brien', status: 'active' });
    });
    after(() => core.close());

    async function create(entity_id: string, body: object = {}, query = ''): Promise<void> {
      const reply = await core.call('POST', `/api/entity/character${query}`, {
        body: { entity_id, name: entity_id, ...body },
      });
      assert.equal(reply.status, 201, reply.text);
    }

    async function read(cursor?: string, query = ''): Promise<NamesReply> {
      const address = `/api/names?${cursor === undefined ? '' : `cursor=${cursor}`}${query}`;
      const reply = await core.call<NamesReply>('GET', address);
      assert.equal(reply.status, 200, reply.text);
      return reply.body;
    }

    const idsIn = ({ t, types, id }: NamesReply) => id.map((each, at) => `${types[t[at] ?? -1]}/${each}`);
    const goneIn = ({ gone, types }: NamesReply) => gone.map(({ t, id }) => `${types[t]}/${id}`);

    test('come in columns, with what else an entity is called', async () => {
      const { types, t, id, name, aliases, status, gone, full } = await read();
      const mira = id.indexOf('mira');
      const tomas = id.indexOf('tomas');
      assert.equal(types[t[mira] ?? -1], 'character');
      assert.deepEqual(
        [name[mira], aliases[mira], status[mira]],
        ['Mira Vale', ['The Clock', 'Mimi'], 'draft'],
      );
      assert.deepEqual([name[tomas], aliases[tomas], status[tomas]], ['Tomás "Tom" O’Brien', null, 'active']);
      assert.deepEqual([gone, full], [[], true]);
    });

    test('after a cursor only those that changed are listed', async () => {
      const { cursor } = await read();
      const nothing = await read(cursor);
      assert.deepEqual([nothing.id, nothing.gone, nothing.full], [[], [], false]);
      await create('wren');
      await core.call('PUT', '/api/entity/character/tomas', {
        body: { name: 'Tom', fields: { aliases: ['Tommy'] } },
      });
      const some = await read(cursor);
      assert.deepEqual(idsIn(some).sort(), ['character/tomas', 'character/wren']);
      assert.deepEqual(some.aliases[some.id.indexOf('tomas')], ['Tommy']);
      assert.deepEqual([some.gone, some.full], [[], false]);
      assert.deepEqual((await read(some.cursor)).id, []);
    });

    test('what was deleted or renamed is gone, and what was restored is back', async () => {
      await create('early');
      await create('late');
      const { cursor } = await read();
      const deleted = await core.call('DELETE', '/api/entity/character/early');
      const body = { entity_type: 'character', old_id: 'late', new_id: 'later' };
      assert.equal((await core.call('POST', '/api/rename-entity', { body })).status, 200);
      const left = await read(cursor);
      assert.deepEqual(
        [idsIn(left), goneIn(left).sort()],
        [['character/later'], ['character/early', 'character/late']],
      );
      await core.call('POST', `/api/recycle-bin/${deleted.body.item_id}/restore`);
      const back = await read(left.cursor);
      assert.deepEqual([idsIn(back), back.gone], [['character/early'], []]);
    });

    test('changes of files are among them: another id, another type', async () => {
      const folder = (type: string) => join(core.contentDir, type, 'drifter');
      mkdirSync(folder('Characters'), { recursive: true });
      const file = (type: string, name: string) => join(folder(type), name);
      writeFileSync(
        file('Characters', 'CHAR_drifter.md'),
        '---\nid: drifter\nname: Drifter\naliases: Rover\n---\n',
      );
      await core.call('POST', '/api/entity/sync/all');
      const first = await read();
      assert.deepEqual(first.aliases[first.id.indexOf('drifter')], ['Rover']);
      writeFileSync(
        file('Characters', 'CHAR_drifter.md'),
        '---\nid: settler\nname: Settler\naliases: [" ", 7, true, [x], Still]\n---\n',
      );
      await core.call('POST', '/api/entity/sync/all');
      const settled = await read(first.cursor);
      assert.deepEqual([idsIn(settled), goneIn(settled)], [['character/settler'], ['character/drifter']]);
      assert.deepEqual(settled.aliases, [['Still']]);
      mkdirSync(join(core.contentDir, 'Locations'), { recursive: true });
      renameSync(folder('Characters'), folder('Locations'));
      renameSync(file('Locations', 'CHAR_drifter.md'), file('Locations', 'LOC_drifter.md'));
      await core.call('POST', '/api/entity/sync/all');
      const moved = await read(settled.cursor);
      assert.deepEqual([idsIn(moved), goneIn(moved)], [['location/settler'], ['character/settler']]);
    });

    test('everything is listed again after mass changes, of a forgotten past, and when types change', async () => {
      const { cursor } = await read();
      for (let index = 0; index < 60; index += 1) {
        const folder = join(core.contentDir, 'Characters', `mass_${index}`);
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, `CHAR_mass_${index}.md`), `---\nid: mass_${index}\nname: Mass\n---\n`);
      }
      await core.call('POST', '/api/entity/sync/all');
      const mass = await read(cursor);
      assert.ok(mass.full && mass.id.includes('mass_59') && mass.id.includes('mira'));
      assert.equal((await read(mass.cursor)).full, false);

      await create('newest');
      await create('newer');
      await forgetEvents(openedProject(core), new Date(0).toISOString(), 1);
      const known = await read(mass.cursor);
      assert.ok(known.full && known.id.includes('newest'));

      const template = join(core.contentDir, '_Templates/Custom/SHIP_TEMPLATE.md');
      mkdirSync(join(core.contentDir, '_Templates/Custom'), { recursive: true });
      writeFileSync(template, '---\nentity_type: ship\nname: ""\n---\n');
      const reloaded = await core.call('POST', '/api/templates/reload');
      assert.equal(reloaded.status, 200, reloaded.text);
      const ships = await read(known.cursor);
      assert.equal(ships.full, true);
      assert.equal(
        (await core.call('POST', '/api/entity/ship', { body: { entity_id: 'gull', name: 'Gull' } })).status,
        201,
      );
      assert.deepEqual(idsIn(await read(ships.cursor)), ['ship/gull']);
      rmSync(template);
      await core.call('POST', '/api/templates/reload');
      const hidden = await read(ships.cursor);
      assert.ok(hidden.full && !hidden.id.includes('gull'));
    });

    test('no change is missed while others write', async () => {
      let { cursor } = await read();
      const ids = Array.from({ length: 40 }, (_, index) => `busy_${index}`);
      const seen = new Set<string>();
      let writing = true;
      const look = async () => {
        const page = await read(cursor);
        for (const id of page.id) seen.add(id);
        cursor = page.cursor;
      };
      const looking = (async () => {
        while (writing) {
          await look();
          await pause(1);
        }
      })();
      await Promise.all(ids.map((id) => create(id)));
      writing = false;
      await looking;
      await look();
      assert.deepEqual(
        ids.filter((id) => !seen.has(id)),
        [],
      );
    });

    test('a cursor is good for its project alone, and what is none is refused', async () => {
      const { cursor } = await read();
      await create('far', {}, '?project_id=other');
      const other = await read(cursor, '&project_id=other');
      assert.deepEqual([other.full, other.id], [true, ['far']]);
      const reply = await core.call('GET', '/api/names?cursor=yesterday');
      assert.deepEqual([reply.status, reply.body.code], [422, 'invalid_cursor']);
      assert.equal((await core.call('GET', '/api/names?project_id=nobodys')).status, 404);
    });
  });
});
