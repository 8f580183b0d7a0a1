import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';

interface Check {
  valid: boolean;
  errors: { line: number; message: string; field?: string }[];
  warnings: { line: number; field?: string }[];
  data: Record<string, unknown> | null;
}

const text = (id: string, name = id) => `---\nid: ${id}\nname: ${name}   # kept\n---\n\nBody\n`;

forEachDatabase((_name, open) => {
  describe('markdown files', () => {
    let core: TestCore;
    before(async () => {
      core = await startCore({ open });
    });
    after(() => core.close());

    const fileOf = (id: string) => join(core.contentDir, 'Characters', id, `CH_${id}.md`);
    const put = (id: string, content = text(id)) => {
      mkdirSync(join(core.contentDir, 'Characters', id), { recursive: true });
      writeFileSync(fileOf(id), content);
    };
    const load = (id: string) =>
      core.call<{ action: string; version: number; detail: string }>(
        'POST',
        `/api/sync/from-markdown/character/${id}`,
      );
    const save = (id: string, body?: object) =>
      core.call<{ written: boolean; version: number; code: string }>(
        'POST',
        `/api/sync/save-to-markdown/character/${id}`,
        body ? { body } : {},
      );
    const check = (body: object) => core.call<Check>('POST', '/api/markdown/validate-frontmatter', { body });

    test('from-markdown takes one file in', async () => {
      put('ada');
      assert.equal((await load('ada')).body.action, 'created');
      assert.equal((await load('ada')).body.action, 'unchanged');
      put('ada', text('ada', 'Ada'));
      const updated = await load('ada');
      assert.deepEqual([updated.body.action, updated.body.version], ['updated', 2]);
      put('ada', '---\nname: [\n---\n');
      const broken = await load('ada');
      assert.equal(broken.status, 409);
      assert.match(broken.body.detail, /line \d+/);
      assert.equal((await load('nobody')).status, 404);
    });

    test('export gives the file’s exact text', async () => {
      put('bob');
      await load('bob');
      const reply = await core.call<{ filename: string; content: string }>(
        'POST',
        '/api/markdown/export/character/bob',
      );
      assert.deepEqual([reply.body.filename, reply.body.content], ['CH_bob.md', text('bob')]);
      rmSync(fileOf('bob'));
      const again = await core.call<{ content: string }>('POST', '/api/markdown/export/character/bob');
      assert.equal(again.body.content, text('bob'), 'from the database where the file is gone');
    });

    test('save-to-markdown brings a missing file back byte for byte', async () => {
      put('cleo');
      await load('cleo');
      assert.equal((await save('cleo')).body.written, false);
      rmSync(fileOf('cleo'));
      assert.equal((await save('cleo')).body.written, true);
      assert.equal(readFileSync(fileOf('cleo'), 'utf8'), text('cleo'));
    });

    test('save-to-markdown replaces a changed file only when told to, and keeps what it said', async () => {
      put('dora');
      await load('dora');
      put('dora', text('dora', 'Edited outside'));
      const refused = await save('dora');
      assert.deepEqual([refused.status, refused.body.code], [409, 'file_differs']);
      assert.equal(readFileSync(fileOf('dora'), 'utf8'), text('dora', 'Edited outside'));
      assert.equal((await save('dora', { overwrite: true })).body.written, true);
      assert.equal(readFileSync(fileOf('dora'), 'utf8'), text('dora'));
      const outside = await core.call<{ content: string }>('GET', '/api/entity/character/dora/revisions/2');
      assert.equal(outside.body.content, text('dora', 'Edited outside'));
    });

    test('format normalises a text; what cannot be read is 422 with its line', async () => {
      const format = (content: string) =>
        core.call<{ content: string; changed: boolean; errors: { line: number }[] }>(
          'POST',
          '/api/markdown/format',
          { body: { content } },
        );
      const formatted = await format('---\r\nid:   ada  \r\n---\r\nBody');
      assert.deepEqual(formatted.body, { content: '---\nid: ada\n---\n\nBody\n', changed: true });
      assert.equal((await format(formatted.body.content)).body.changed, false);
      const broken = await format('---\nid: ada\nid: bob\n---\n');
      assert.deepEqual([broken.status, broken.body.errors[0]?.line], [422, 3]);
    });

    test('validate-frontmatter names line and field', async () => {
      const good = await check({ content: text('ada') });
      assert.deepEqual([good.body.valid, good.body.data?.id], [true, 'ada']);
      const broken = await check({ content: '---\nname: a\nname: b\n---\n' });
      assert.deepEqual([broken.body.valid, broken.body.errors[0]?.line], [false, 3]);
      const wrong = await check({
        content: '---\nid: ada\nname: Ada\nstatus: resting\nentity_type: quest\n---\n',
        entity_type: 'character',
      });
      assert.deepEqual(
        wrong.body.errors.map(({ line, field }) => [line, field]),
        [[5, 'entity_type']],
      );
      assert.deepEqual(
        wrong.body.warnings.map(({ line, field }) => [line, field]),
        [[4, 'status']],
      );
      put('eve', '---\nname: [\n---\n');
      const file = await check({ path: 'Characters/eve/CH_eve.md' });
      assert.equal(file.body.valid, false);
      assert.equal((await check({ path: '../outside.md' })).status, 422);
      assert.equal((await check({ path: 'Characters/nobody/x.md' })).status, 404);
      assert.equal((await check({})).status, 422);
    });
  });
});
