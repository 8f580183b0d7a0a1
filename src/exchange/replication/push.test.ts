import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { startCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { characterText, hubOfSuite, pathOf, pushed, replicaOf } from '../../../test/support/replication.ts';
import { saveFile } from '../../../test/support/save-file.ts';
import { systemClock } from '../../kit/clock.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { silentLog } from '../../kit/log.ts';
import { createTemplateRegistry } from '../../world/definitions/registry/registry.ts';

interface Revision {
  version: number;
  source: string;
}

forEachDatabase((_name, open) => {
  describe('push', () => {
    const { core, replica } = hubOfSuite({ open });
    let made = 0;

    const revisionsOf = async (id: string) =>
      (await core.call<{ revisions: Revision[] }>('GET', `/api/entity/character/${id}/revisions`)).body
        .revisions;
    const versionOf = async (id: string) =>
      (await core.call<{ version: number }>('GET', `/api/entity/character/${id}`)).body.version;
    const save = (id: string, body: object) => core.call('PUT', `/api/entity/character/${id}`, { body });
    const newId = () => `person_${++made}`;
    async function entity(body?: string): Promise<string> {
      const id = newId();
      const { body: reply } = await replica.push([pushed(id, characterText(id, { body }))]);
      assert.deepEqual(reply.accepted, [`character/${id}`]);
      return id;
    }

    const texts = {
      plain: characterText('x'),
      'Windows line ends': characterText('x').replaceAll('\n', '\r\n'),
      'a byte order mark': `\uFEFF${characterText('x')}`,
      'no final newline': characterText('x').trimEnd(),
      'comments and odd quotes': characterText('x').replace('name: x', 'name:   "x"   # nobody'),
    };
    for (const [what, text] of Object.entries(texts)) {
      test(`a text with ${what} arrives byte for byte and comes back as it is`, async () => {
        const id = newId();
        const own = text.replace(/^id: x/m, `id: ${id}`);
        const { status, body } = await replica.push([pushed(id, own)]);
        assert.equal(status, 200);
        assert.deepEqual(body.versions, {
          [`character/${id}`]: { version: 1, file_checksum: checksumOf(own), path: pathOf(id) },
        });
        assert.equal(replica.read(pathOf(id)), own);
        const { entities } = await replica.pullAll();
        const back = entities.find(({ entity_id }) => entity_id === id);
        assert.ok(back && 'content' in back);
        assert.equal(back.content, own);
        assert.equal(back.file_checksum, checksumOf(own));
      });
    }

    test('an entity comes with its type, whose template another core has just been given', async () => {
      const path = '_Templates/Custom/SHIP_TEMPLATE.md';
      saveFile(
        join(core.contentDir, path),
        '---\ntemplate_version: "2.0"\nid: ship_template\nentity_type: ship\nname: "[A name]"\n---\n',
      );
      const another = createTemplateRegistry({ clock: systemClock, log: silentLog });
      await another.of(await core.projects.open('local', 'default'));
      const content = '---\nid: patience\nentity_type: ship\nname: Patience\n---\n';
      const { body } = await replica.push([
        { entity_type: 'ship', entity_id: 'patience', version: 1, content },
      ]);
      assert.deepEqual([body.accepted, body.rejected], [['ship/patience'], []]);
    });

    test('the next version is written, as one that came by a sync', async () => {
      const id = await entity();
      const text = characterText(id, { age: 31 });
      const { body } = await replica.push([pushed(id, text, 2)]);
      assert.deepEqual(body.versions[`character/${id}`], {
        version: 2,
        file_checksum: checksumOf(text),
        path: pathOf(id),
      });
      assert.equal(replica.read(pathOf(id)), text);
      assert.deepEqual(
        (await revisionsOf(id)).map(({ version, source }) => [version, source]),
        [
          [2, 'sync'],
          [1, 'sync'],
        ],
      );
    });

    test('the same push again, or the same text from an older version, changes nothing', async () => {
      const id = await entity();
      const text = characterText(id, { age: 31 });
      for (const version of [2, 2, 1, 7]) {
        const { body } = await replica.push([pushed(id, text, version)]);
        assert.deepEqual(body.accepted, [`character/${id}`]);
        assert.equal(body.versions[`character/${id}`]?.version, 2);
      }
      await save(id, { fields: { age: 40 } });
      const late = await replica.push([pushed(id, text, 2)]);
      assert.deepEqual([late.body.accepted.length, late.body.conflicts.length], [1, 0]);
      assert.equal(await versionOf(id), 3);
    });

    test('without auto_merge an edit from an older version is a conflict, with the merge as a proposal', async () => {
      const id = await entity();
      await save(id, { fields: { occupation: 'Sailor' } });
      const { body } = await replica.push([pushed(id, characterText(id, { age: 31 }), 2)]);
      assert.deepEqual([body.accepted, body.rejected, body.conflicts.length], [[], [], 1]);
      const [found] = body.conflicts;
      assert.equal(found?.local.fields.age, 31);
      assert.equal(found?.remote.fields.occupation, 'Sailor');
      assert.deepEqual([found?.base?.version, found?.pushed, found?.conflicting_fields], [1, true, []]);
      assert.deepEqual(
        [found?.merged.clean, found?.merged.fields.age, found?.merged.fields.occupation],
        [true, 31, 'Sailor'],
      );
      assert.equal(await versionOf(id), 2);
    });

    test('with auto_merge what does not overlap is written, and both edits are in it', async () => {
      const id = await entity();
      await save(id, { fields: { occupation: 'Sailor' } });
      const edit = pushed(id, characterText(id, { age: 31 }), 2);
      const { body } = await replica.push([edit], { auto_merge: true });
      assert.equal(body.versions[`character/${id}`]?.version, 3);
      const text = replica.read(pathOf(id));
      assert.match(text, /age: 31/);
      assert.match(text, /occupation: Sailor/);
      const again = await replica.push([edit], { auto_merge: true });
      assert.equal(again.body.versions[`character/${id}`]?.version, 3);
    });

    test('what overlaps is a conflict with auto_merge too, once however often it is pushed', async () => {
      const id = await entity();
      await save(id, { fields: { age: 50 } });
      const edit = pushed(id, characterText(id, { age: 31 }), 2);
      const first = await replica.push([edit], { auto_merge: true });
      const second = await replica.push([edit], { auto_merge: true });
      const [one] = first.body.conflicts;
      assert.deepEqual([one?.conflicting_fields, one?.merged.clean], [['age'], false]);
      assert.equal(second.body.conflicts[0]?.conflict_id, one?.conflict_id);
      assert.match(replica.read(pathOf(id)), /age: 50/);
    });

    test('two creations of one id are a conflict without a base, unless they say the same', async () => {
      const id = await entity();
      const { body } = await replica.push([pushed(id, characterText(id, { age: 99 }))], { auto_merge: true });
      assert.deepEqual([body.conflicts.length, body.conflicts[0]?.base], [1, null]);
    });

    test('where the sent checksum of the base is not that of the version, the number counts for nothing', async () => {
      const id = await entity();
      const edit = { base_checksum: checksumOf('of another database') };
      const { body } = await replica.push([pushed(id, characterText(id, { age: 31 }), 2, edit)]);
      assert.deepEqual([body.accepted.length, body.conflicts[0]?.base], [0, null]);
    });

    test('fields in place of a text: what is named is set, the rest of the file stays', async () => {
      const id = newId();
      const first = { entity_type: 'character', entity_id: id, version: 1, name: 'Mira', fields: { age: 5 } };
      await replica.push([{ ...first, markdown_body: 'Hello.\n' }]);
      const before = replica.read(pathOf(id));
      assert.match(before, /name: Mira[\s\S]*\nage: 5[\s\S]*Hello\./);
      const next = {
        entity_type: 'character',
        entity_id: id,
        version: 2,
        fields: { age: 6, status: 'active' },
      };
      const { body } = await replica.push([next]);
      assert.deepEqual(body.accepted, [`character/${id}`]);
      assert.equal(
        replica.read(pathOf(id)),
        before.replace('\nage: 5', '\nage: 6').replace('status: draft', 'status: active'),
      );
    });

    test('what cannot be taken is rejected by itself, with a reason; the others are taken', async () => {
      const good = newId();
      const item = { entity_type: 'character', version: 1, content: 'x' };
      const { status, body } = await replica.push([
        { ...item, entity_id: '../../etc/passwd' },
        { ...item, entity_id: 'schema' },
        { ...item, entity_type: 'dragon', entity_id: 'smaug' },
        { ...item, entity_type: 'Template', entity_id: 'character' },
        { ...item, entity_id: 'no_frontmatter' },
        { ...pushed('other_id', characterText('one_id')) },
        { ...pushed('wrong_sum', characterText('wrong_sum')), checksum: checksumOf('else') },
        { entity_type: 'character', entity_id: 'bad_field', version: 1, fields: { courage: 'high' } },
        pushed(good, characterText(good)),
      ]);
      assert.equal(status, 200);
      assert.deepEqual(body.rejected.map(({ code }) => code).sort(), [
        'checksum_mismatch',
        'id_mismatch',
        'invalid_fields',
        'invalid_id',
        'invalid_id',
        'no_frontmatter',
        'unknown_type',
        'unknown_type',
      ]);
      for (const { detail } of body.rejected) assert.ok(detail.length > 20, detail);
      assert.deepEqual(body.accepted, [`character/${good}`]);
    });

    const hostile = [
      '../outside/CH_x.md',
      '/etc/CH_x.md',
      'Characters/../../CH_x.md',
      'Characters/./x/CH_x.md',
      'Characters/x/.CH_x.md',
      'Characters/.x/CH_x.md',
      'Characters/x/deep/CH_x.md',
      'Characters/CH_x.md',
      'Characters\\x\\CH_x.md',
      'Locations/x/CH_x.md',
      '_Templates/Core/CHARACTER_TEMPLATE.md',
      '_RecycleBin/x/CH_x.md',
      'node_modules/x/CH_x.md',
      'Characters/x/CH_x.sh',
      `Characters/${'x'.repeat(300)}/CH_x.md`,
    ];
    test('paths outside the folder of the type are rejected, and nothing is written there', async () => {
      for (const path of hostile) {
        const { body } = await replica.push([pushed('path_x', characterText('path_x'), 1, { path })]);
        assert.deepEqual([body.accepted, body.rejected[0]?.code], [[], 'invalid_path'], path);
      }
      assert.equal((await core.call('GET', '/api/entity/character/path_x')).status, 404);
    });

    test('a new entity lies where the install has it', async () => {
      const id = newId();
      const path = `Characters/The ${id}/someone.md`;
      const { body } = await replica.push([pushed(id, characterText(id), 1, { path })]);
      assert.deepEqual(body.accepted, [`character/${id}`], JSON.stringify(body.rejected));
      assert.equal(replica.read(path), characterText(id));
    });

    test('what was edited in the folder meanwhile is merged, not overwritten', async () => {
      const id = await entity();
      replica.write(pathOf(id), characterText(id, { body: 'One.\n\nChanged outside.\n' }));
      const { body } = await replica.push([pushed(id, characterText(id, { age: 31 }), 2)], {
        auto_merge: true,
      });
      assert.equal(body.versions[`character/${id}`]?.version, 3);
      assert.match(replica.read(pathOf(id)), /age: 31[\s\S]*Changed outside/);
    });

    test('a file that cannot be read is never written over', async () => {
      const id = await entity();
      const broken = '---\nname: [never closed\n---\n';
      replica.write(pathOf(id), broken);
      const edit = await replica.push([pushed(id, characterText(id, { age: 31 }), 2)], { auto_merge: true });
      assert.equal(edit.body.rejected[0]?.code, 'unreadable_file');
      const removal = { entity_type: 'character', entity_id: id, version: 2, deleted: true };
      assert.equal((await replica.push([removal])).body.rejected[0]?.code, 'unreadable_file');
      assert.equal(replica.read(pathOf(id)), broken);
    });

    test('a push of hundreds: what cannot be taken among them stops none of the others', async () => {
      const ids = Array.from({ length: 300 }, () => newId());
      const [taken, broken] = [ids[7] ?? '', ids[150] ?? ''];
      await replica.push([pushed(taken, characterText(taken, { age: 1 }))]);
      const texts = new Map(ids.map((id) => [id, id === broken ? 'no frontmatter' : characterText(id)]));
      const items = [...texts].map(([id, text]) => pushed(id, text));
      const { body } = await replica.push(items);
      assert.deepEqual(
        [
          body.accepted.length,
          body.conflicts.map(({ entity_id }) => entity_id),
          body.rejected.map(({ code }) => code),
        ],
        [298, [taken], ['no_frontmatter']],
      );
      for (const id of ids)
        if (id !== taken && id !== broken) assert.equal(replica.read(pathOf(id)), texts.get(id));
      const next = ids.map((id) => pushed(id, characterText(id, { age: 2 }), 2));
      const second = await replica.push(next, { auto_merge: true });
      assert.equal(second.body.accepted.length, 300, JSON.stringify(second.body.rejected));
      for (const [key, { version }] of Object.entries(second.body.versions))
        assert.equal(version, key === `character/${broken}` ? 1 : 2, key);
      const again = await replica.push(next, { auto_merge: true });
      assert.deepEqual(again.body.versions, second.body.versions);
      assert.equal((await replica.push(Array(2_001).fill(next[0]))).status, 422);
    });

    test('two new entities are not put into one folder', async () => {
      const [one, two] = [newId(), newId()];
      const at = (id: string) =>
        pushed(id, characterText(id), 1, { path: `Characters/shared folder/${id}.md` });
      const { body } = await replica.push([at(one), at(two)]);
      // Which one comes first, and whether the other notices in time to use another folder, is up to chance.
      const folders = Object.values(body.versions).map(({ path }) => dirname(path));
      assert.equal(folders.includes('Characters/shared folder'), true);
      assert.equal(new Set(folders).size, folders.length);
      assert.deepEqual(
        body.rejected.map(({ code }) => code),
        folders.length === 2 ? [] : ['file_exists'],
      );
    });

    test('20 pushes of the same edit at once make one version', async () => {
      const id = await entity();
      const edit = pushed(id, characterText(id, { age: 31 }), 2);
      const replies = await Promise.all(Array.from({ length: 20 }, () => replica.push([edit])));
      for (const { body } of replies) assert.equal(body.versions[`character/${id}`]?.version, 2);
      assert.deepEqual((await revisionsOf(id)).length, 2);
    });

    test('pushes and saves at once: each text is current, a revision or a conflict', async () => {
      const id = await entity();
      const edits = Array.from({ length: 8 }, (_, n) => pushed(id, characterText(id, { age: 100 + n }), 2));
      const [replies, saves] = await Promise.all([
        Promise.all(edits.map((edit) => replica.push([edit], { auto_merge: true }))),
        Promise.all(edits.map((_, n) => save(id, { fields: { age: 200 + n } }))),
      ]);
      const kept = new Set<number>();
      for (const { version } of await revisionsOf(id)) {
        const { body } = await core.call<{ fields: { age: number } }>(
          'GET',
          `/api/entity/character/${id}/revisions/${version}`,
        );
        kept.add(body.fields.age);
      }
      const { body } = await core.call<{
        conflicts: { entity_id: string; local: { fields: { age: number } } }[];
      }>('GET', '/api/conflicts?limit=200');
      for (const { entity_id, local } of body.conflicts) if (entity_id === id) kept.add(local.fields.age);
      for (const [n, { status }] of saves.entries())
        if (status === 200) assert.ok(kept.has(200 + n), `save ${n}`);
      for (const [n, { body }] of replies.entries())
        assert.ok(body.rejected.length > 0 || kept.has(100 + n), `push ${n}: ${JSON.stringify(body)}`);
    });

    test('a viewer may pull and not push; without the feature neither', async () => {
      const token = await core.registerViewer();
      assert.equal((await replica.push([], {}, { token })).status, 403);
      assert.equal((await core.call('GET', '/api/desktop/sync/pull', { token })).status, 200);
      const free = await startCore({ open, env: { LOCAL_PLAN: 'free' } });
      after(() => free.close());
      const refused = await replicaOf(free).push([]);
      assert.deepEqual([refused.status, refused.body.code], [403, 'feature_unavailable']);
      assert.match(refused.body.detail, /cloud_sync/);
    });
  });
});
