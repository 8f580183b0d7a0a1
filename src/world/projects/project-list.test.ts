import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import type { ReplyOf } from '../../kit/contract.ts';
import type { createProject, listProjects } from './projects.contract.ts';

type Listed = ReplyOf<typeof createProject>;

forEachDatabase((_name, open) => {
  describe('a list of projects', () => {
    let core: TestCore;
    before(async () => {
      core = await startCore({ open });
    });
    after(() => core.close());

    const list = async () =>
      (await core.call<ReplyOf<typeof listProjects>>('GET', '/api/projects')).body.projects;
    const create = (body: object, token?: string) =>
      core.call<Listed & { code?: string }>('POST', '/api/projects', { body, ...(token && { token }) });
    const folderOf = (id: string) => join(core.config.dataDir, 'projects', id);

    test('names the default project, and others once they are made', async () => {
      const [first, ...none] = await list();
      assert.deepEqual([first?.id, first?.name, first?.available, none], ['default', 'default', true, []]);
      assert.equal(first?.role, 'admin');
      const made = await create({ name: ' Low Water ', start: 'starter' });
      assert.deepEqual([made.status, made.body.id, made.body.name], [201, 'low_water', 'Low Water']);
      assert.ok(existsSync(join(folderOf('low_water'), '_Templates/Standard')));
      assert.ok(!existsSync(join(folderOf('low_water'), 'Characters')));
      const body = { entity_id: 'mira', name: 'Mira' };
      await core.call('POST', '/api/entity/character?project_id=low_water', { body });
      const found = (await list()).find(({ id }) => id === 'low_water');
      assert.deepEqual([found?.name, found?.entities, found?.available], ['Low Water', 1, true]);
      assert.match(found?.changed_at ?? '', /^\d{4}-/);
    });

    test('is of pages', async () => {
      await create({ name: 'Paged', start: 'empty' });
      const { body } = await core.call<ReplyOf<typeof listProjects>>('GET', '/api/projects?limit=1&offset=1');
      assert.equal(body.projects.length, 1);
      assert.equal(body.total, (await list()).length);
    });

    test('a project begins empty or with the sample world', async () => {
      assert.equal((await create({ id: 'bare', name: 'Bare', start: 'empty' })).status, 201);
      assert.ok(!existsSync(join(folderOf('bare'), '_Templates')));
      assert.equal((await create({ id: 'shown', name: 'Shown', start: 'sample' })).status, 201);
      assert.ok(existsSync(join(folderOf('shown'), 'Characters')));
      assert.equal((await create({ name: 'x', start: 'full' })).status, 422);
    });

    test('ids come from names, and none is taken twice, also of two at once', async () => {
      const twice = await Promise.all([1, 2].map(() => create({ name: 'Twin', start: 'empty' })));
      assert.deepEqual(twice.map(({ body }) => body.id).sort(), ['twin', 'twin_2']);
      const again = await create({ id: 'twin', name: 'Mine', start: 'empty' });
      assert.deepEqual([again.status, again.body.code], [409, 'id_taken']);
      assert.equal((await list()).find(({ id }) => id === 'twin')?.name, 'Twin');
      assert.equal((await create({ name: '海', start: 'empty' })).status, 201);
      for (const id of ['../x', 'A', ''])
        assert.equal((await create({ id, name: 'x', start: 'empty' })).status, 422);
      assert.equal((await create({ name: '  ', start: 'empty' })).status, 422);
    });

    test('another name is kept in the folder', async () => {
      const rename = (id: string, name: string) =>
        core.call<Listed>('PATCH', `/api/projects/${id}`, { body: { name } });
      assert.equal((await rename('default', 'Saltmere')).body.name, 'Saltmere');
      const file = join(core.contentDir, '.canonry/project.json');
      assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { name: 'Saltmere' });
      for (const odd of ['{', '[]', '{"name": 5}']) {
        writeFileSync(file, odd);
        assert.equal((await list())[0]?.name, 'default', odd);
      }
      assert.equal((await rename('nobodys', 'x')).status, 404);
      assert.ok(!existsSync(folderOf('nobodys')));
    });

    test('a name that nobody can read leaves the project there, under its id', async () => {
      const { body } = await create({ name: 'Odd Name', start: 'empty' });
      const file = join(folderOf(body.id), '.canonry/project.json');
      const shown = async () => {
        const found = (await list()).find(({ id }) => id === body.id);
        return [found?.name, found?.available];
      };
      writeFileSync(file, JSON.stringify({ name: 'x'.repeat(20_000) }));
      assert.deepEqual(await shown(), ['odd_name', true]);
      rmSync(file);
      symlinkSync('/etc/hostname', file);
      assert.deepEqual(await shown(), ['odd_name', true]);
      rmSync(file);
      mkdirSync(file);
      assert.deepEqual(await shown(), ['odd_name', true]);
    });

    test('a folder that the database does not know is a project too, one that went is not', async () => {
      mkdirSync(join(folderOf('brought'), '.canonry'), { recursive: true });
      writeFileSync(join(folderOf('brought'), '.canonry/project.json'), '{"name":"Brought along"}');
      mkdirSync(join(core.config.dataDir, 'projects', 'not a project'));
      const ids = (await list()).map(({ id, name }) => `${id} ${name}`);
      assert.ok(ids.includes('brought Brought along'));
      assert.ok(!ids.some((each) => each.startsWith('not a project')));
      await create({ id: 'away', name: 'Away', start: 'empty' });
      renameSync(folderOf('away'), join(core.config.dataDir, 'elsewhere'));
      assert.ok(!(await list()).some(({ id }) => id === 'away'));
      const again = await create({ id: 'away', name: 'Away', start: 'empty' });
      assert.deepEqual(
        [again.status, again.body.code],
        [409, 'id_taken'],
        'its rows are of the other folder',
      );
    });

    test('viewers read it alone', async () => {
      const token = await core.registerViewer();
      const { body } = await core.call<ReplyOf<typeof listProjects>>('GET', '/api/projects', { token });
      assert.equal(body.projects[0]?.role, 'viewer');
      assert.equal((await create({ name: 'x', start: 'empty' }, token)).status, 403);
      const renamed = await core.call('PATCH', '/api/projects/default', { token, body: { name: 'x' } });
      assert.equal(renamed.status, 403);
    });
  });
});
