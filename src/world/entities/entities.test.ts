import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import canonicalize from 'canonicalize';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { checksumOf } from '../../kit/crypto.ts';

interface EntityReply {
  entity_id: string;
  name: string;
  status: string;
  fields: Record<string, unknown>;
  markdown_body: string;
  version: number;
  checksum: string;
  file_checksum: string;
  is_valid: boolean;
  validation_errors: { field: string; line?: number }[];
  detail: string;
  code: string;
  errors: { field: string; message: string }[];
}

const url = (id: string, type = 'character') => `/api/entity/${type}/${id}`;

forEachDatabase((_name, open) => {
  describe('entities', () => {
    let core: TestCore;
    before(async () => {
      core = await startCore({ open });
    });
    after(() => core.close());

    const fileOf = (id: string) => join(core.contentDir, 'Characters', id, `CH_${id}.md`);
    const create = (entity_id: string, more: object = {}) =>
      core.call<EntityReply>('POST', '/api/entity/character', {
        body: { entity_id, name: 'Somebody', fields: { occupation: 'Tide reader' }, ...more },
      });
    const update = (id: string, body: object, headers = {}) =>
      core.call<EntityReply>('PUT', url(id), { body, headers });
    const get = (id: string) => core.call<EntityReply>('GET', url(id));

    test('a created entity is a file, a row and a reply that agree', async () => {
      const made = await create('mira', {
        name: 'Mira Vale',
        fields: { species: 'human' },
        markdown_body: '# Mira\n\nReads tides.\n',
      });
      assert.equal(made.status, 201);
      assert.equal(made.body.version, 1);
      assert.equal(made.body.markdown_body, '# Mira\n\nReads tides.\n');
      const bytes = readFileSync(fileOf('mira'));
      assert.equal(made.body.file_checksum, checksumOf(bytes));
      const { fields, markdown_body } = made.body;
      assert.equal(made.body.checksum, checksumOf(canonicalize({ fields, markdown_body }) ?? ''));
      assert.deepEqual((await get('mira')).body, made.body);
    });

    test('a name with a line break or a byte order mark is refused, not shortened', async () => {
      await create('one_line');
      const before = readFileSync(fileOf('one_line'));
      for (const name of ['Mira\nVale', 'Mira\r\nVale', 'Mira\u2028Vale', 'Mira Vale\n', '\uFEFFMira']) {
        for (const reply of [await create('two_lines', { name }), await update('one_line', { name })]) {
          assert.equal(reply.status, 422);
          assert.equal(reply.body.errors[0]?.field, 'name');
        }
      }
      assert.equal(existsSync(fileOf('two_lines')), false);
      assert.deepEqual(readFileSync(fileOf('one_line')), before);
    });

    test('without a body the file takes the template’s, an empty one stays empty', async () => {
      const filled = await create('with_body');
      assert.match(filled.body.markdown_body, /^## /m);
      const empty = await create('without_body', { markdown_body: '' });
      assert.equal(empty.body.markdown_body, '');
    });

    test('refused values change nothing and say what is wrong', async () => {
      for (const entity_id of ['Mira', '../x', 'a b', '', 'schema', 'ä', 'x'.repeat(101)]) {
        const reply = await create(entity_id);
        assert.equal(reply.status, 422, entity_id);
        assert.match(reply.body.detail, /id/);
      }
      const wrongType = await create('wrong', { fields: { birth_year: 'long ago', height_cm: true } });
      assert.equal(wrongType.status, 422);
      assert.deepEqual(wrongType.body.errors.map((error) => error.field).sort(), ['birth_year', 'height_cm']);
      assert.equal((await create('wrong', { fields: { template_version: '9' } })).status, 422);
      assert.equal((await create('wrong', { status: 'lost' })).status, 422);
      assert.equal((await create('wrong', { name: '  ' })).status, 422);
      assert.equal((await create('wrong', { surprise: 1 })).status, 422);
      const poison = await core.call('POST', '/api/entity/character', {
        body: undefined,
        headers: { 'content-type': 'application/json' },
      });
      assert.equal(poison.status, 422);
      assert.equal((await get('wrong')).status, 404);
      assert.equal(existsSync(join(core.contentDir, 'Characters', 'wrong')), false);
      assert.equal((await core.call('GET', '/api/entity/starship')).status, 404);
    });

    test('values that no file can hold are refused, on create and on update', async () => {
      await create('holder');
      const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });
      const many = Array.from({ length: 60_000 }, () => 1);
      for (const [fields, code] of [
        [{ deep: nested(70) }, 'too_deep'],
        [{ many }, 'too_many_nodes'],
      ] as const) {
        for (const reply of [await create('refused', { fields }), await update('holder', { fields })]) {
          assert.equal(reply.status, 422, reply.text.slice(0, 200));
          assert.match(reply.body.detail, /file cannot hold this: .*Nothing was changed/);
          assert.equal(reply.body.code, code);
        }
      }
      assert.equal((await get('refused')).status, 404);
      assert.equal((await get('holder')).body.version, 1);
    });

    test('an asset lies below the folder or the project: other paths are refused, and told where a file has them', async () => {
      await create('pictured');
      const outside = ['../../x.png', '/etc/passwd', 'file:///etc/passwd', 'images/../../x.png', 'C:\\x.png'];
      for (const primary_asset of outside) {
        const reply = await update('pictured', { primary_asset });
        assert.deepEqual([reply.status, reply.body.code], [422, 'invalid_path'], primary_asset);
      }
      for (const primary_asset of ['images/portrait.png', 'https://pictures.example/a.png', null])
        assert.equal((await update('pictured', { primary_asset })).status, 200);
      const folder = join(core.contentDir, 'Characters', 'told');
      mkdirSync(folder);
      writeFileSync(
        join(folder, 'CH_told.md'),
        '---\nid: told\nname: "Two\\nlines"\nprimary_asset: ../../x.png\n---\n',
      );
      await core.call('POST', '/api/entity/sync/character');
      const { body } = await core.call<{ validation_errors: { code: string; line: number }[] }>(
        'GET',
        url('told'),
      );
      const codes = body.validation_errors.map(({ code, line }) => [code, line]);
      assert.deepEqual(codes.filter(([code]) => code === 'invalid_path' || code === 'invalid_name').sort(), [
        ['invalid_name', 3],
        ['invalid_path', 4],
      ]);
    });

    test('numbers with more digits than can be held are refused, and stay as they are where a file has them', async () => {
      await create('exact');
      const sent = await core.call<{ code: string }>('PUT', url('exact'), {
        body: { fields: { mass: 2 ** 53 } },
      });
      assert.deepEqual([sent.status, sent.body.code], [400, 'inexact_number']);
      const line = 'mass: 12345678901234567890';
      writeFileSync(
        fileOf('exact'),
        readFileSync(fileOf('exact'), 'utf8').replace(/^name:/m, `${line}\nname:`),
      );
      assert.equal((await update('exact', { fields: { occupation: 'Diver' } })).status, 200);
      assert.ok(readFileSync(fileOf('exact'), 'utf8').includes(`${line}\n`));
      const { body } = await core.call<{ validation_errors: { code: string; field: string }[] }>(
        'GET',
        url('exact'),
      );
      assert.ok(
        body.validation_errors.some(({ code, field }) => code === 'inexact_number' && field === 'mass'),
      );
    });

    test('an id that is in use is 409, of 20 parallel creates one wins', async () => {
      const replies = await Promise.all(Array.from({ length: 20 }, () => create('twin')));
      assert.equal(replies.filter((reply) => reply.status === 201).length, 1);
      assert.equal(replies.filter((reply) => reply.status === 409).length, 19);
    });

    test('an edit changes the lines of its field alone, in file and reply', async () => {
      await create('edited');
      const text = readFileSync(fileOf('edited'), 'utf8').replace(
        'occupation: Tide reader',
        'occupation:   "Tide reader"   # for now',
      );
      writeFileSync(fileOf('edited'), text);
      const reply = await update('edited', { fields: { occupation: 'Harbour master' } });
      assert.equal(reply.status, 200);
      assert.equal(reply.body.version, 3, 'the outside edit is a version of its own');
      const expected = text.replace('"Tide reader"', '"Harbour master"');
      assert.equal(readFileSync(fileOf('edited'), 'utf8'), expected);
    });

    test('an update without a change writes nothing', async () => {
      const made = await create('same');
      const again = await update('same', { fields: { occupation: 'Tide reader' }, name: 'Somebody' });
      assert.equal(again.body.version, made.body.version);
      assert.equal(again.body.file_checksum, made.body.file_checksum);
    });

    test('If-Match lets the first of two writers win', async () => {
      const made = await create('tagged');
      const { headers } = await get('tagged');
      const etag = String(headers.etag);
      assert.equal((await update('tagged', { name: 'One' }, { 'if-match': etag })).status, 200);
      const late = await update('tagged', { name: 'Two' }, { 'if-match': etag });
      assert.equal(late.status, 412);
      assert.match(late.body.detail, /version 2/);
      assert.equal((await get('tagged')).body.name, 'One');
      assert.equal((await core.call('DELETE', url('tagged'), { headers: { 'if-match': etag } })).status, 412);
      const unchanged = await core.call('GET', url('mira'), {
        headers: { 'if-none-match': String((await get('mira')).headers.etag) },
      });
      assert.equal(unchanged.status, 304);
      assert.equal(made.body.version, 1);
    });

    test('what a text says of versions is not the entity’s tag', async () => {
      const text = ',"version":9,"checksum":"","file_checksum":"sha256:0123456789abcdef"';
      const made = await create('quoting', { markdown_body: text, fields: { version: 9 } });
      const { body } = made;
      const tag = `"1-${body.file_checksum.slice('sha256:'.length).slice(0, 16)}"`;
      assert.equal(made.headers.etag, tag);
      assert.equal((await get('quoting')).headers.etag, tag);
    });

    test('twenty parallel edits of different fields all survive', async () => {
      await create('busy');
      const edits = Array.from({ length: 20 }, (_, index) =>
        update('busy', { fields: { [`note_${index}`]: index } }),
      );
      const replies = await Promise.all(edits);
      assert.deepEqual(new Set(replies.map((reply) => reply.status)), new Set([200]));
      const { body } = await get('busy');
      assert.equal(body.version, 21);
      for (let index = 0; index < 20; index += 1) assert.equal(body.fields[`note_${index}`], index);
    });

    test('a file that cannot be read is kept until somebody says overwrite, and then in the revisions', async () => {
      await create('broken');
      const damaged = '---\nid: broken\n  oops: [\n---\nstill here\n';
      writeFileSync(fileOf('broken'), damaged);
      const refused = await update('broken', { name: 'New' });
      assert.equal(refused.status, 409);
      assert.match(refused.body.detail, /line 3/);
      assert.equal(readFileSync(fileOf('broken'), 'utf8'), damaged);
      const forced = await update('broken', { name: 'New', overwrite: true });
      assert.equal(forced.status, 200);
      assert.equal(forced.body.name, 'New');
      const kept = await core.call<{ content: string }>('GET', `${url('broken')}/revisions/2`);
      assert.equal(kept.body.content, damaged);
      const first = await core.call<{ content: string }>('GET', `${url('broken')}/revisions/1`);
      assert.match(first.body.content, /Tide reader/);
    });

    test('of a file in another encoding the revisions keep every letter', async () => {
      const text = '---\nid: umlaut\nname: Jürgen\n---\nGrüße\n';
      const encodings = { latin: Buffer.from(text, 'latin1'), wide: Buffer.from(`\uFEFF${text}`, 'utf16le') };
      for (const [id, bytes] of Object.entries(encodings)) {
        await create(id);
        writeFileSync(fileOf(id), bytes);
        assert.equal((await update(id, { name: 'New' })).status, 409);
        assert.equal((await update(id, { name: 'New', overwrite: true })).status, 200);
        const kept = await core.call<{ content: string }>('GET', `${url(id)}/revisions/2`);
        assert.equal(kept.body.content, text);
      }
    });

    test('of a file with NUL characters the revisions keep all the rest', async () => {
      const text = '---\nid: nul\nname: Jürgen\n---\nGrüße\n';
      const damaged: [string, Buffer, string][] = [
        ['holes', Buffer.from(text.replace('G', '\0\0')), text.replace('G', '\u2400\u2400')],
        ['unmarked', Buffer.from(text, 'utf16le'), text],
        ['swapped', Buffer.from(text, 'utf16le').swap16(), text],
      ];
      for (const [id, bytes, content] of damaged) {
        await create(id);
        writeFileSync(fileOf(id), bytes);
        assert.equal((await update(id, { name: 'New' })).status, 409);
        assert.equal((await update(id, { name: 'New', overwrite: true })).status, 200);
        const kept = await core.call<{ content: string }>('GET', `${url(id)}/revisions/2`);
        assert.equal(kept.body.content, content);
      }
    });

    test('a file that never could be read is named to who would change its entity, and stays as it is', async () => {
      const path = join(core.contentDir, 'Characters', 'unread', 'CH_unread.md');
      const text = '---\nid: unread\nname: [open\n---\nHer story.\n';
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, text);
      for (const overwrite of [false, true]) {
        const refused = await core.call<{ detail: string; code: string }>(
          'PUT',
          '/api/entity/character/unread',
          { body: { name: 'Una', overwrite } },
        );
        assert.deepEqual([refused.status, refused.body.code], [409, 'unreadable_file']);
        assert.match(refused.body.detail, /^Characters\/unread\/CH_unread\.md cannot be read \(line \d/);
        assert.match(refused.body.detail, /Fix the file/);
      }
      assert.equal(readFileSync(path, 'utf8'), text);
    });

    test('an edit that is refused over a file that cannot be read leaves a tag by which the next one is taken', async () => {
      await create('mended');
      const whole = readFileSync(fileOf('mended'), 'utf8');
      const damage = () => writeFileSync(fileOf('mended'), '---\nid: mended\n  oops: [\n---\n');
      const tag = async () => ({ 'if-match': String((await get('mended')).headers.etag) });
      damage();
      const stale = { 'if-match': '"7-0123456789abcdef"' };
      assert.equal((await update('mended', { name: 'New', overwrite: true }, stale)).status, 412);
      writeFileSync(fileOf('mended'), whole);
      const edited = await update('mended', { name: 'New' }, await tag());
      assert.equal(edited.status, 200, JSON.stringify(edited.body));
      assert.equal((await get('mended')).body.version, edited.body.version);
      damage();
      const forced = await update('mended', { name: 'Newer', overwrite: true }, await tag());
      assert.equal(forced.status, 200, JSON.stringify(forced.body));
    });

    test('the last readable version comes back over a file that cannot be read', async () => {
      await create('healed');
      const whole = readFileSync(fileOf('healed'), 'utf8');
      const { etag } = (await get('healed')).headers;
      writeFileSync(fileOf('healed'), 'torn');
      const restored = await core.call<EntityReply>('POST', `${url('healed')}/revisions/1/restore`, {
        headers: { 'if-match': String(etag) },
      });
      assert.equal(restored.status, 200, JSON.stringify(restored.body));
      assert.equal(readFileSync(fileOf('healed'), 'utf8'), whole);
      const kept = await core.call<{ content: string }>('GET', `${url('healed')}/revisions/2`);
      assert.equal(kept.body.content, 'torn');
    });

    test('an editor who saves between our reading and our writing loses nothing', async (t) => {
      await create('raced');
      const project = await core.projects.open('local', 'default');
      const { write } = project.files;
      const writeMine: typeof write = async (...given) => {
        Object.assign(project.files, { write });
        writeFileSync(fileOf('raced'), readFileSync(fileOf('raced'), 'utf8').replace('human', 'selkie'));
        return write(...given);
      };
      t.after(() => Object.assign(project.files, { write }));
      Object.assign(project.files, { write: writeMine });
      const reply = await update('raced', { fields: { occupation: 'Harbour master' } });
      assert.equal(reply.status, 200, JSON.stringify(reply.body));
      assert.equal(reply.body.fields.species, 'selkie');
      assert.equal(reply.body.fields.occupation, 'Harbour master');
      assert.equal(reply.body.version, 3, 'the editor’s text is a version of its own');
    });

    test('a viewer reads and does not write', async () => {
      const token = await core.registerViewer();
      assert.equal((await core.call('GET', url('mira'), { token })).status, 200);
      assert.equal((await core.call('PUT', url('mira'), { token, body: { name: 'X' } })).status, 403);
      assert.equal((await core.call('DELETE', url('mira'), { token })).status, 403);
    });

    test('a folder that cannot be written answers clearly and changes nothing', async (t) => {
      await create('locked');
      const folder = join(core.contentDir, 'Characters', 'locked');
      chmodSync(folder, 0o555);
      t.after(() => chmodSync(folder, 0o755));
      const reply = await update('locked', { name: 'Other' });
      // The superuser may write anywhere; for other users the folder is closed.
      if (process.getuid?.() === 0) assert.equal(reply.status, 200);
      else assert.equal(reply.status, 409);
    });
  });

  test('what lies in the folder is read whatever the plan allows, and told; only creations are refused', async () => {
    const core = await startCore({ open, env: { LOCAL_PLAN: 'free' }, watch: false });
    try {
      for (let index = 0; index < 103; index += 1) {
        const folder = join(core.contentDir, `Items/item_${index}`);
        mkdirSync(folder, { recursive: true });
        writeFileSync(
          join(folder, `IT_item_${index}.md`),
          `---\nid: item_${index}\nentity_type: item\nname: Item ${index}\n---\n\nText.\n`,
        );
      }
      const { body: report } = await core.call('POST', '/api/sync/refresh-all');
      assert.deepEqual([report.created, report.invalid_total, report.over_plan], [103, 0, 3]);
      const changed = await core.call('PUT', '/api/entity/item/item_102', { body: { name: 'Mine' } });
      assert.deepEqual([changed.status, changed.body.name], [200, 'Mine']);
      const usage = await core.call('GET', '/api/tenant/usage');
      assert.deepEqual(
        [usage.body.entities_count, usage.body.over_plan, usage.body.can_create],
        [103, 3, false],
      );
      const made = await core.call('POST', '/api/entity/item', { body: { entity_id: 'more', name: 'More' } });
      assert.equal(made.status, 402);
    } finally {
      await core.close();
    }
  });

  test('the plan’s entity limit is 402 on create and restore, also for 20 at once', async () => {
    const core = await startCore({ open, env: { LOCAL_PLAN: 'free' } });
    try {
      const make = (index: number) =>
        core.call('POST', '/api/entity/item', {
          body: { entity_id: `item_${index}`, name: `Item ${index}` },
        });
      for (let index = 0; index < 90; index += 10) {
        await Promise.all(Array.from({ length: 10 }, (_, step) => make(index + step)));
      }
      const last = await Promise.all(Array.from({ length: 20 }, (_, index) => make(100 + index)));
      assert.equal(last.filter((reply) => reply.status === 201).length, 10);
      assert.equal(last.filter((reply) => reply.status === 402).length, 10);
      const gone = await core.call<{ item_id: string }>('DELETE', '/api/entity/item/item_1');
      assert.equal((await make(500)).status, 201);
      const back = await core.call('POST', `/api/recycle-bin/${gone.body.item_id}/restore`);
      assert.equal(back.status, 402);
      const usage = await core.call<{ can_create: boolean }>('GET', '/api/tenant/usage');
      assert.equal(usage.body.can_create, false);
    } finally {
      await core.close();
    }
  });
});
