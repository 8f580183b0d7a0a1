import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { checksumOf } from '../../kit/crypto.ts';
import type { SyncReport } from './report.ts';

interface EntityReply {
  name: string;
  version: number;
  file_checksum: string;
  fields: Record<string, unknown>;
  markdown_body: string;
}

const character = (id: string, name = id, body = 'Text.\n'): string =>
  `---\nid: ${id}\nentity_type: character\nname: ${name}\n---\n\n${body}`;

forEachDatabase((_name, open) => {
  describe('sync', () => {
    let core: TestCore;
    beforeEach(async () => {
      core = await startCore({ open });
      await settled();
    });
    afterEach(() => core.close());

    const settled = async () => {
      for (const project of core.projects.opened()) await core.mirror.whenSettled(project);
    };
    const at = (path: string) => join(core.contentDir, path);
    const put = (path: string, text: string | Uint8Array) => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), text);
    };
    const putCharacter = (id: string, name?: string, body?: string) =>
      put(`Characters/${id}/CH_${id}.md`, character(id, name, body));
    const putCharacters = (count: number) => {
      for (let index = 0; index < count; index += 1) putCharacter(`person_${index}`);
    };
    const sync = async (body: object = {}): Promise<SyncReport> => {
      const reply = await core.call<SyncReport>('POST', '/api/sync/refresh-all', { body });
      assert.equal(reply.status, 200, reply.text);
      return reply.body;
    };
    const get = (id: string, type = 'character') =>
      core.call<EntityReply>('GET', `/api/entity/${type}/${id}`);
    const ids = async (type = 'character') => {
      const reply = await core.call<{ entities: { entity_id: string }[] }>(
        'GET',
        `/api/entity/${type}?limit=200&sort_by=entity_id&sort_order=asc`,
      );
      return reply.body.entities.map((entity) => entity.entity_id);
    };

    test('new, changed and deleted files are followed; a second sync changes nothing', async () => {
      putCharacter('ada');
      putCharacter('bob');
      putCharacter('cleo');
      const first = await sync();
      assert.deepEqual([first.created, first.updated, first.deleted], [3, 0, 0]);

      putCharacter('ada', 'Ada Lind', 'New text.\n');
      rmSync(at('Characters/bob'), { recursive: true });
      const second = await sync();
      assert.deepEqual([second.created, second.updated, second.deleted], [0, 1, 1]);
      const ada = (await get('ada')).body;
      assert.deepEqual([ada.name, ada.version, ada.markdown_body], ['Ada Lind', 2, 'New text.\n']);
      assert.equal((await get('bob')).status, 404);

      const third = await sync();
      assert.deepEqual([third.created, third.updated, third.deleted, third.unchanged], [0, 0, 0, 2]);
    });

    test('what was deleted outside can be restored from the recycle bin with its text', async () => {
      putCharacter('ada', 'Ada', 'Her story.\n');
      putCharacter('bob');
      await sync();
      rmSync(at('Characters/ada'), { recursive: true });
      await sync();
      const bin = await core.call<{ items: { item_id: string; entity_id: string }[] }>(
        'GET',
        '/api/recycle-bin',
      );
      const item = bin.body.items.find(({ entity_id }) => entity_id === 'ada');
      const restored = await core.call('POST', `/api/recycle-bin/${item?.item_id}/restore`);
      assert.equal(restored.status, 200, restored.text);
      assert.equal(
        readFileSync(at('Characters/ada/CH_ada.md'), 'utf8'),
        character('ada', 'Ada', 'Her story.\n'),
      );
    });

    test('odd prefixes, notes and names are imported without a byte changed', async () => {
      const odd = '---\r\nname: "Ada"   # the first\r\nid: ada\r\n---\r\nBody\r\n\r\n---\r\nno final newline';
      put('Characters/ada/HERO-Ada Lind.md', odd);
      put('Characters/ada/README.md', 'Just notes.\n');
      put('Characters/ada/notes/old.md', 'Older notes.\n');
      put('Characters/Some One/x.md', '---\nname: Some One\n---\n');
      const report = await sync();
      assert.equal(report.created, 2);
      assert.equal(report.invalid_total, 0);
      assert.equal(readFileSync(at('Characters/ada/HERO-Ada Lind.md'), 'utf8'), odd);
      assert.equal((await get('ada')).body.file_checksum, checksumOf(odd));
      assert.deepEqual(await ids(), ['Some One', 'ada']);
    });

    test('a file that cannot be read is named with its line, and its entity stays', async () => {
      putCharacter('ada');
      await sync();
      put('Characters/ada/CH_ada.md', '---\nid: ada\nname: [\n---\n');
      put('Characters/bob/CH_bob.md', Uint8Array.from([45, 45, 45, 10, 0xff, 0xfe, 10, 45, 45, 45, 10]));
      const report = await sync();
      assert.deepEqual(report.invalid.map(({ path }) => path).sort(), [
        'Characters/ada/CH_ada.md',
        'Characters/bob/CH_bob.md',
      ]);
      for (const { line, reason } of report.invalid) assert.ok(line >= 2 && reason.length > 0);
      assert.equal((await get('ada')).body.version, 1);
      assert.equal((await sync()).invalid_total, 2, 'told again although nothing changed');

      putCharacter('ada', 'Ada again');
      const mended = await sync();
      assert.equal(mended.invalid_total, 1);
      assert.deepEqual([(await get('ada')).body.name, (await get('ada')).body.version], ['Ada again', 2]);
    });

    test('links, pipes and folders without a type are skipped and named', async () => {
      const outside = join(core.contentDir, '..', 'outside');
      mkdirSync(join(outside, 'eve'), { recursive: true });
      writeFileSync(join(outside, 'eve', 'CH_eve.md'), character('eve'));
      mkdirSync(at('Characters/ada'), { recursive: true });
      symlinkSync(join(outside, 'eve'), at('Characters/eve'));
      symlinkSync(join(outside, 'eve', 'CH_eve.md'), at('Characters/ada/CH_ada.md'));
      execFileSync('mkfifo', [at('Characters/ada/pipe.md')]);
      put('Drafts/idea/idea.md', character('idea'));
      const report = await sync();
      assert.equal(report.created, 0);
      assert.deepEqual(report.skipped.map(({ path }) => path).sort(), [
        'Characters/ada/CH_ada.md',
        'Characters/ada/pipe.md',
        'Characters/eve',
      ]);
      assert.deepEqual(report.unknown_folders, ['Drafts']);
    });

    test('a text beside the folders of entities is no entity, and is named as such', async () => {
      put('Characters/ada.md', character('ada'));
      for (const name of ['README.md', '_index.md', 'cast.txt']) put(`Characters/${name}`, 'Who is who.\n');
      const report = await sync();
      assert.deepEqual([report.created, report.invalid_total, report.skipped_total], [0, 0, 1]);
      const [{ path, reason } = { path: '', reason: '' }] = report.skipped;
      assert.equal(path, 'Characters/ada.md');
      assert.match(reason, /folder of its own/);
      assert.equal((await sync()).skipped_total, 1, 'told again although nothing changed');
    });

    test('of two files with one id the one in the folder of that name has it', async () => {
      put('Characters/copy/CH_copy.md', character('ada', 'The copy'));
      putCharacter('ada', 'The original');
      const report = await sync();
      assert.equal(report.created, 1);
      assert.deepEqual(
        report.invalid.map(({ path }) => path),
        ['Characters/copy/CH_copy.md'],
      );
      assert.match(report.invalid[0]?.reason ?? '', /'ada' already belongs to Characters\/ada\/CH_ada.md/);
      assert.equal((await get('ada')).body.name, 'The original');

      put('Characters/copy/CH_copy.md', character('copy', 'No copy any more'));
      assert.deepEqual([(await sync()).invalid_total, await ids()], [0, ['ada', 'copy']]);
    });

    test('an id that is free again goes to the file that waited for it', async () => {
      putCharacter('ada', 'First');
      put('Characters/second/CH_second.md', character('ada', 'Second'));
      assert.equal((await sync()).invalid_total, 1);
      rmSync(at('Characters/ada'), { recursive: true });
      await sync();
      await sync();
      assert.equal((await get('ada')).body.name, 'Second');
    });

    const idOf = async (id: string) => (await get(id)).body.markdown_body;
    const says = (folder: string, id: string) =>
      put(`Characters/${folder}/CH_${folder}.md`, character(id, id, `From ${folder}.`));

    test('ids that two files change for each other’s go to the files that say them, with their history', async () => {
      for (const id of ['ada', 'bo', 'cy']) putCharacter(id, id);
      await sync();
      says('ada', 'bo');
      says('bo', 'ada');
      const report = await sync();
      assert.deepEqual([report.invalid_total, report.created, report.deleted], [0, 0, 0]);
      assert.deepEqual([await idOf('ada'), await idOf('bo')], ['From bo.', 'From ada.']);
      assert.equal((await get('ada')).body.version, 2);
      assert.deepEqual(await ids(), ['ada', 'bo', 'cy']);
      assert.deepEqual((await sync()).updated, 0);
    });

    test('an id that a file gives up for a new one goes to the file that takes it', async () => {
      for (const id of ['ada', 'bo', 'cy']) putCharacter(id, id);
      await sync();
      says('ada', 'bo');
      says('bo', 'zed');
      const report = await sync();
      assert.equal(report.invalid_total, 0);
      assert.deepEqual(await ids(), ['bo', 'cy', 'zed']);
      assert.deepEqual([await idOf('bo'), await idOf('zed')], ['From ada.', 'From bo.']);
      assert.deepEqual([(await get('bo')).body.version, (await get('zed')).body.version], [2, 1]);
    });

    test('a folder that was renamed keeps its entity, version and all', async () => {
      putCharacter('ada', 'Ada');
      await sync();
      renameSync(at('Characters/ada'), at('Characters/ada_old'));
      const report = await sync();
      assert.deepEqual([report.created, report.updated, report.deleted], [0, 1, 0]);
      assert.equal((await get('ada')).body.version, 2);
    });

    test('one that is looked at under its new name alone keeps it as well', async () => {
      putCharacter('ada', 'Ada');
      await sync();
      const [project] = core.projects.opened();
      assert.ok(project);
      renameSync(at('Characters/ada'), at('Characters/ada_old'));
      await core.mirror.sync(project, { kind: 'paths', paths: ['Characters/ada_old'] });
      assert.equal((await get('ada')).body.version, 2);
      await core.mirror.sync(project, { kind: 'paths', paths: ['Characters/ada'] });
      const report = await sync();
      assert.deepEqual([report.created, report.updated, report.deleted], [0, 0, 0]);
      assert.equal((await get('ada')).body.version, 2);
    });

    test('an id that changes in the file moves the entity along', async () => {
      put('Characters/ada/CH_ada.md', character('ada'));
      await sync();
      put('Characters/ada/CH_ada.md', character('ada_lind'));
      await sync();
      assert.deepEqual(await ids(), ['ada_lind']);
      assert.equal((await get('ada_lind')).body.version, 2);
    });

    test('a deletion of too much stops, says so and goes on with force', async () => {
      putCharacters(10);
      await sync();
      for (let index = 0; index < 4; index += 1)
        rmSync(at(`Characters/person_${index}`), { recursive: true });
      const stopped = await sync();
      assert.equal(stopped.status, 'needs_confirmation');
      assert.deepEqual(
        [stopped.deleted, stopped.confirmation?.deletions, stopped.confirmation?.entities],
        [0, 4, 10],
      );
      assert.equal((await ids()).length, 10);
      const status = await core.call<{ confirmation: object | null }>('GET', '/api/sync/status');
      assert.ok(status.body.confirmation);

      const forced = await sync({ force: true });
      assert.deepEqual([forced.status, forced.deleted], ['completed', 4]);
      assert.equal((await ids()).length, 6);
      const after = await core.call<{ confirmation: object | null }>('GET', '/api/sync/status');
      assert.equal(after.body.confirmation, null);
    });

    test('deletions that follow each other within a minute add up', async () => {
      await core.close();
      let now = Date.now();
      core = await startCore({ open, clock: { now: () => now } });
      putCharacters(36);
      await sync();
      const statuses: string[] = [];
      for (let index = 0; index < 12; index += 1) {
        rmSync(at(`Characters/person_${index}`), { recursive: true });
        statuses.push((await sync()).status);
        now += 4_000;
      }
      assert.deepEqual(statuses, [
        ...Array.from({ length: 10 }, () => 'completed'),
        'needs_confirmation',
        'needs_confirmation',
      ]);
      assert.equal((await ids()).length, 26);
    });

    test('a vanished or empty folder deletes nothing', async () => {
      putCharacter('ada');
      await sync();
      const errors = core.expectErrors(/^sync failed: the content folder is missing/);
      const aside = `${core.contentDir}-aside`;
      renameSync(core.contentDir, aside);
      const gone = await core.call<{ detail: string; code: string }>('POST', '/api/sync/refresh-all', {
        body: { force: true },
      });
      assert.deepEqual([gone.status, gone.body.code], [503, 'root_missing']);
      assert.match(gone.body.detail, /content folder/);
      assert.equal(errors.length, 1);
      assert.equal((await get('ada')).status, 200);

      mkdirSync(core.contentDir);
      const empty = await sync();
      assert.equal(empty.status, 'needs_confirmation');
      assert.match(empty.confirmation?.reason ?? '', /empty/);
      assert.equal((await get('ada')).status, 200);

      rmSync(core.contentDir, { recursive: true });
      renameSync(aside, core.contentDir);
      const back = await sync();
      assert.deepEqual([back.status, back.deleted, back.unchanged], ['completed', 0, 1]);
    });

    test('requests at the same time share one run', async () => {
      putCharacters(30);
      const reports = await Promise.all([sync(), sync(), sync()]);
      assert.equal(new Set(reports.map((report) => report.run_id)).size, 1);
      assert.equal(reports[0]?.created, 30);
    });

    test('a template that is dropped in is a type, one that changes renders its entities anew', async () => {
      put('Ships/nautilus/SHIP_nautilus.md', '---\nid: nautilus\nname: Nautilus\n---\n');
      assert.deepEqual((await sync()).unknown_folders, ['Ships']);
      const template = (more: string) =>
        `---\ntemplate_version: "1.0"\nentity_type: ship\ncrew: 0\n${more}---\n`;
      put('_Templates/Custom/SHIP_TEMPLATE.md', template(''));
      const report = await sync();
      assert.deepEqual([report.created, report.rerendered_types], [1, ['ship']]);
      assert.equal((await get('nautilus', 'ship')).body.fields.crew, 0);

      put('_Templates/Custom/SHIP_TEMPLATE.md', template('armed: true\n'));
      await sync();
      const { fields, version } = (await get('nautilus', 'ship')).body;
      assert.deepEqual([fields.armed, version], [true, 1]);
    });

    test('a template saved through the API renders its entities anew', async () => {
      putCharacter('ada');
      await sync();
      const saved = await core.call('PUT', '/api/templates/character', {
        body: { frontmatter: { shoe_size: 42 } },
      });
      assert.equal(saved.status, 200, saved.text);
      await settled();
      assert.equal((await get('ada')).body.fields.shoe_size, 42);
    });

    test('a file that is newer than its row, as a crash leaves it, is taken in; half a file is not', async () => {
      putCharacter('ada');
      await sync();
      putCharacter('ada', 'Saved before the crash');
      mkdirSync(at('Characters/bob'));
      writeFileSync(at('Characters/bob/.canonry-1a2b.tmp'), 'half');
      await core.call('POST', '/api/sync/import-changes', { body: { paths: ['Characters/ada'] } });
      assert.equal((await get('ada')).body.name, 'Saved before the crash');
      assert.deepEqual(await ids(), ['ada']);
    });

    test('check-changes tells what a sync would do, and a touch is no change', async () => {
      putCharacter('ada');
      putCharacter('bob');
      await sync();
      putCharacter('ada', 'Changed');
      putCharacter('bob');
      putCharacter('cleo');
      const check = await core.call<{ changes: { path: string; change: string }[]; total: number }>(
        'GET',
        '/api/sync/check-changes',
      );
      assert.deepEqual(check.body.changes.map(({ path, change }) => [path, change]).sort(), [
        ['Characters/ada/CH_ada.md', 'modified'],
        ['Characters/cleo/CH_cleo.md', 'added'],
      ]);
      assert.equal((await get('ada')).body.name, 'ada');
    });

    test('one type and named paths can be synced alone', async () => {
      putCharacter('ada');
      put('Locations/harbour/LOC_harbour.md', '---\nid: harbour\nname: Harbour\n---\n');
      const type = await core.call<SyncReport>('POST', '/api/entity/sync/location');
      assert.deepEqual([type.status, type.body.created], [200, 1]);
      assert.equal((await get('ada')).status, 404);
      assert.equal((await core.call('POST', '/api/entity/sync/unheard_of')).status, 404);
      const paths = await core.call<SyncReport>('POST', '/api/sync/import-changes', {
        body: { paths: ['Characters/ada/CH_ada.md'] },
      });
      assert.deepEqual([paths.body.created, (await get('ada')).status], [1, 200]);
    });

    test('an entity of the API is not imported a second time', async () => {
      await core.call('POST', '/api/entity/character', { body: { entity_id: 'ada', name: 'Ada' } });
      const report = await sync();
      assert.deepEqual([report.created, report.updated], [0, 0]);
      assert.equal((await get('ada')).body.version, 1);
    });
  });

  test('with the database gone everything is back with the same checksums, the recycle bin too', async () => {
    const content = await startCore({ open, content: 'sample' });
    const names = ['character', 'location', 'quest'];
    const state = async (core: TestCore) => {
      for (const project of core.projects.opened()) await core.mirror.whenSettled(project);
      const all = [];
      for (const type of names) {
        const reply = await core.call<{
          entities: { entity_id: string; checksum: string; file_checksum: string }[];
        }>('GET', `/api/entity/${type}?limit=200&sort_by=entity_id`);
        all.push(reply.body.entities.map((each) => [each.entity_id, each.checksum, each.file_checksum]));
      }
      return all;
    };
    try {
      await state(content);
      const [victim] = readdirSync(join(content.contentDir, 'Characters'));
      const deleted = await content.call('DELETE', `/api/entity/character/${victim}`);
      assert.equal(deleted.status, 200);
      const before = await state(content);
      assert.ok(before.flat().length > 5);

      const fresh = await startCore({ open, contentDir: content.contentDir });
      try {
        assert.deepEqual(await state(fresh), before);
        const bin = await fresh.call<{ items: { item_id: string; entity_id: string }[] }>(
          'GET',
          '/api/recycle-bin',
        );
        assert.deepEqual(
          bin.body.items.map((item) => item.entity_id),
          [victim],
        );
        const restored = await fresh.call('POST', `/api/recycle-bin/${bin.body.items[0]?.item_id}/restore`);
        assert.equal(restored.status, 200, restored.text);
        assert.ok(existsSync(join(content.contentDir, 'Characters', victim ?? '')));
      } finally {
        await fresh.close();
      }
    } finally {
      await content.close();
    }
  });
});
