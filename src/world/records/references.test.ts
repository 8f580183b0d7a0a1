import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase, type OpenedDatabase } from '../../../test/support/databases.ts';
import { fillContentFolder } from '../../surfaces/starter.ts';
import { countIncoming, countOutgoing, incomingEdges, outgoingEdges } from './edges.store.ts';
import { findEntityRow } from './entity-rows.store.ts';
import type { EntityRow, RecordsDb } from './records.tables.ts';
import type { Project } from './scope.ts';

const NOW = { after: null, limit: 50 };

forEachDatabase((_name, open) => {
  describe('stored references', () => {
    let core: TestCore;
    let contentDir: string;
    let opened: OpenedDatabase;
    beforeEach(async () => {
      contentDir = mkdtempSync(join(tmpdir(), 'references-'));
      await fillContentFolder(contentDir, { sample: false });
      opened = await open();
      await start();
    });
    afterEach(async () => {
      await core.close();
      await opened.close();
      rmSync(contentDir, { recursive: true });
    });

    async function start(): Promise<void> {
      core = await startCore({ open: async () => ({ ...opened, close: opened.release }), contentDir });
      await core.mirror.whenSettled(project());
    }
    const project = (): Project => {
      const [first] = core.projects.opened();
      assert.ok(first);
      return first;
    };
    const read = <Result>(work: (db: RecordsDb) => Promise<Result>) => project().database.read(work);
    const rowOf = async (type: string, id: string): Promise<EntityRow> => {
      const row = await read((db) => findEntityRow(db, project(), type, id));
      assert.ok(row, `${type} ${id} is there`);
      return row;
    };
    /** As `field > type:id`. */
    const outgoing = async (id: string): Promise<string[]> => {
      const { row_id } = await rowOf('character', id);
      const edges = await read((db) => outgoingEdges(db, row_id, { after: -1, limit: 50 }));
      assert.equal(await read((db) => countOutgoing(db, row_id)), edges.length);
      return edges.map(({ field, to_type, to_id }) => `${field} > ${to_type}:${to_id}`);
    };
    /** As `type:id field`. */
    const incoming = async (type: string, id: string): Promise<string[]> => {
      const target = await rowOf(type, id);
      const edges = await read((db) => incomingEdges(db, project(), target, NOW));
      assert.equal(await read((db) => countIncoming(db, project(), target)), edges.length);
      return edges.map(({ entity_type, entity_id, field }) => `${entity_type}:${entity_id} ${field}`);
    };
    const call = async (method: string, url: string, body?: object) => {
      const reply = await core.call(method, url, { body });
      assert.ok(reply.status < 300, reply.text);
      return reply.body;
    };
    const create = (entity_id: string, fields: object, markdown_body = '') =>
      call('POST', '/api/entity/character', { entity_id, name: entity_id, fields, markdown_body });
    const put = (path: string, text: string) => {
      mkdirSync(dirname(join(contentDir, path)), { recursive: true });
      writeFileSync(join(contentDir, path), text);
    };
    const sync = () => call('POST', '/api/sync/refresh-all', {});

    test('follow edits, deletions and returns', async () => {
      await create('ada', { home: 'mill', relationships: ['bo', 'cy'] }, 'Knows [[bo]] and [[item:lamp]].');
      await create('bo', { parents: ['ada'] }, 'I am [[bo]].');
      assert.deepEqual(await outgoing('ada'), [
        'home > location:mill',
        'relationships > character:bo',
        'relationships > character:cy',
        'markdown_body > null:bo',
        'markdown_body > item:lamp',
      ]);
      assert.deepEqual(await incoming('character', 'bo'), [
        'character:ada relationships',
        'character:ada markdown_body',
      ]);
      await call('PUT', '/api/entity/character/ada', { fields: { relationships: ['cy'] } });
      assert.deepEqual(await incoming('character', 'bo'), ['character:ada markdown_body']);
      const { item_id } = await call('DELETE', '/api/entity/character/ada');
      assert.deepEqual(await incoming('character', 'bo'), []);
      await call('POST', `/api/recycle-bin/${item_id}/restore`);
      assert.deepEqual(await incoming('character', 'bo'), ['character:ada markdown_body']);
    });

    test('follow files that are written, changed and removed outside', async () => {
      const path = 'Characters/ada/CH_ada.md';
      put(path, '---\nid: ada\nname: Ada\nfaction: guild\n---\n\nSee [[bo]].\n');
      put('Factions/guild/FAC_guild.md', '---\nid: guild\nname: Guild\n---\n');
      await sync();
      assert.deepEqual(await outgoing('ada'), ['faction > faction:guild', 'markdown_body > null:bo']);
      assert.deepEqual(await incoming('faction', 'guild'), ['character:ada faction']);
      put(path, '---\nid: ada\nname: Ada\n---\n\nSee [[item:bo]].\n');
      await sync();
      assert.deepEqual(await outgoing('ada'), ['markdown_body > item:bo']);
      put(path, '---\nid: ada\nname: Ada\nfaction: guild\n---\n');
      await sync();
      rmSync(join(contentDir, 'Characters/ada'), { recursive: true });
      await sync();
      assert.deepEqual(await incoming('faction', 'guild'), []);
    });

    test('follow a template whose field becomes a reference and ceases to be one', async () => {
      const template = (config: string) =>
        put(
          '_Templates/Custom/SHIP_TEMPLATE.md',
          `---\nentity_type: ship\nname: ""\nport: ""\nfield_config: { port: { ${config} } }\n---\n`,
        );
      template('widget: text');
      put('Ships/hawk/SHIP_hawk.md', '---\nid: hawk\nname: Hawk\nport: mill\n---\n');
      put('Locations/mill/LOC_mill.md', '---\nid: mill\nname: Mill\n---\n');
      await sync();
      assert.deepEqual(await incoming('location', 'mill'), []);
      template('reference_type: location');
      await sync();
      assert.deepEqual(await incoming('location', 'mill'), ['ship:hawk port']);
      template('reference_type: item');
      await sync();
      assert.deepEqual(await incoming('location', 'mill'), []);
    });

    test('of a database from before are filled by the first full sync', async () => {
      put('Characters/ada/CH_ada.md', '---\nid: ada\nname: Ada\nhome: mill\n---\n');
      put('Locations/mill/LOC_mill.md', '---\nid: mill\nname: Mill\n---\n');
      await sync();
      const before = await rowOf('character', 'ada');
      await core.database.system.write(async (db: Kysely<unknown>) => {
        await sql`drop table entity_references`.execute(db);
        await sql`drop index entities_by_plain_id`.execute(db);
        await sql`delete from canonry_migrations where name = 'records-5-references'`.execute(db);
        await sql`delete from users`.execute(db);
      });
      await core.close();
      await start();
      assert.deepEqual(await incoming('location', 'mill'), ['character:ada home']);
      assert.deepEqual(await rowOf('character', 'ada'), before);
    });

    test('pages of edges begin where the last one ended', async () => {
      for (let index = 0; index < 5; index += 1) await create(`p${index}`, { home: 'mill' }, '[[mill]]');
      await call('POST', '/api/entity/location', { entity_id: 'mill', name: 'Mill', markdown_body: '' });
      const target = await rowOf('location', 'mill');
      const all = await read((db) => incomingEdges(db, project(), target, NOW));
      assert.equal(all.length, 10);
      const paged = [];
      for (let after = null as (typeof all)[0] | null; ; ) {
        const page = await read((db) => incomingEdges(db, project(), target, { after, limit: 3 }));
        paged.push(...page);
        after = page.at(-1) ?? null;
        if (page.length < 3) break;
      }
      assert.deepEqual(paged, all);
    });
  });
});
