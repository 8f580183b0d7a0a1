import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { eventually, readTree, startDesktop, type TestDesktop } from '../../../test/support/desktop.ts';
import { errorsToStderr } from '../../../test/support/errors-to-stderr.ts';

import { systemClock } from '../../kit/clock.ts';
import { createDesktop } from '../../surfaces/desktop.surface.ts';
import type { ShownProject } from './desktop-projects.service.ts';

type Project = ShownProject & { code: string };

forEachDatabase((_name, open) => {
  describe('projects of a machine', () => {
    let desktop: TestDesktop;
    before(async () => {
      desktop = await startDesktop({ open });
    });
    after(() => desktop.close());

    const add = (path: string, rest: Record<string, unknown> = {}) =>
      desktop.ask<Project>('POST', '/api/desktop/projects', { body: { path, ...rest } });
    const remove = (name: string) =>
      desktop.ask<{ active: string; code: string }>('DELETE', `/api/desktop/projects/${name}`);
    const act = (name: string, what: 'activate' | 'scan', body?: object) =>
      desktop.ask<Project & { created: number; unchanged: number; status: string }>(
        'POST',
        `/api/desktop/projects/${name}/${what}`,
        { body },
      );
    const list = async () =>
      (await desktop.ask<{ projects: Project[]; active: string }>('GET', '/api/desktop/projects')).body;
    const find = async (name: string) => (await list()).projects.find((project) => project.name === name);
    const get = (id: string, project?: string) =>
      desktop.call<{ version: number }>('GET', `/api/entity/character/${id}`, {
        ...(project !== undefined && { headers: { 'x-project-id': project } }),
      });

    test('the folder of the settings is there from the start, and stays', async () => {
      const { projects, active } = await list();
      assert.deepEqual([projects.map(({ name }) => name), active], [['default'], 'default']);
      assert.equal(projects[0]?.path, desktop.contentDir);
      const { status, body } = await remove('default');
      assert.deepEqual([status, body.code], [409, 'default_project']);
      const again = await add(desktop.contentDir);
      assert.deepEqual([again.status, again.body.name], [200, 'default']);
    });

    test('folders of the machine are among the projects, until they are removed', async () => {
      const folder = desktop.world('Gull Rock', 'eve');
      const shown = async () => {
        const { body } = await desktop.call<{ projects: { id: string; name: string; available: boolean }[] }>(
          'GET',
          '/api/projects',
        );
        return body.projects.map(({ id, name, available }) => `${id} ${name} ${available}`);
      };
      await add(folder);
      const body = { name: 'Gull Rock' };
      const renamed = await desktop.call('PATCH', '/api/projects/gull-rock', { body });
      assert.equal(renamed.status, 200, renamed.text);
      assert.deepEqual(await shown(), ['default default true', 'gull-rock Gull Rock true']);
      renameSync(folder, `${folder} away`);
      assert.deepEqual(await shown(), ['default default true', 'gull-rock gull-rock false']);
      renameSync(`${folder} away`, folder);
      await remove('gull-rock');
      assert.deepEqual(await shown(), ['default default true']);
      rmSync(folder, { recursive: true });
    });

    test('a folder becomes a project where it is, unchanged, and is one no more with every file in its place', async () => {
      const folder = desktop.world('Low Water', 'ada', 'bob');
      const before = readTree(folder);
      const added = await add(folder);
      assert.equal(added.status, 201, added.text);
      assert.deepEqual(
        [added.body.name, added.body.path, added.body.active, added.body.available],
        ['low-water', folder, false, true],
      );
      assert.equal((await add(folder)).status, 200);
      const scanned = await act('low-water', 'scan');
      assert.equal(scanned.status, 200, scanned.text);
      assert.equal(scanned.body.status, 'completed');
      assert.equal((await find('low-water'))?.entities, 2);
      assert.equal((await get('ada', 'low-water')).status, 200);
      assert.deepEqual(readTree(folder), before);

      const removed = await remove('low-water');
      assert.equal(removed.status, 200, removed.text);
      assert.deepEqual(readTree(folder), before);
      assert.equal(await find('low-water'), undefined);
      assert.equal((await get('ada', 'low-water')).status, 404);
      const made = await desktop.call('POST', '/api/entity/character', {
        body: { entity_id: 'cy', name: 'Cy' },
        headers: { 'x-project-id': 'low-water' },
      });
      assert.equal(made.status, 404, made.text);
      assert.equal((await remove('low-water')).status, 404);
      assert.equal((await act('low-water', 'scan')).status, 404);
    });

    test('a folder that comes back has its history, also under another path', async () => {
      const folder = desktop.world('history', 'ada');
      await add(folder, { name: 'chronicle' });
      await act('chronicle', 'scan');
      const edit = { fields: { role: 'Keeper' } };
      await desktop.call('PUT', '/api/entity/character/ada', {
        body: edit,
        headers: { 'x-project-id': 'chronicle' },
      });
      assert.equal((await remove('chronicle')).status, 200);
      const other = desktop.world('other', 'cleo');
      const taken = await add(other, { name: 'chronicle' });
      assert.deepEqual([taken.status, taken.body.code], [409, 'name_taken']);
      const moved = join(desktop.machine, 'moved');
      renameSync(folder, moved);
      assert.equal((await add(moved, { name: 'chronicle' })).status, 201);
      assert.equal((await act('chronicle', 'scan')).body.status, 'completed');
      assert.equal((await get('ada', 'chronicle')).body.version, 2);
    });

    test('a project whose folder was moved while it is one is found under its name again', async () => {
      const folder = desktop.world('wanderer', 'ada');
      await add(folder);
      assert.equal((await act('wanderer', 'activate')).status, 200);
      desktop.expectErrors(/^sync failed: the content folder is missing/);
      const moved = join(desktop.machine, 'wandered');
      renameSync(folder, moved);
      assert.equal((await find('wanderer'))?.available, false);
      const back = await add(moved, { name: 'wanderer' });
      assert.equal(back.status, 201, back.text);
      assert.equal(back.body.active, true);
      assert.equal((await act('wanderer', 'scan')).body.status, 'completed');
      assert.equal((await get('ada')).status, 200);
      assert.equal((await remove('wanderer')).body.active, 'default');
    });

    test('requests that name no project are about the active one', async () => {
      const folder = desktop.world('active', 'only_here');
      await add(folder);
      assert.equal((await get('only_here')).status, 404);
      const activated = await act('active', 'activate');
      assert.equal(activated.status, 200, activated.text);
      assert.deepEqual([activated.body.active, (await list()).active], [true, 'active']);
      await eventually(
        () => get('only_here'),
        ({ status }) => status === 200,
      );
      assert.equal((await get('only_here', 'default')).status, 404);
      assert.equal((await remove('active')).body.active, 'default');
      assert.equal((await get('only_here')).status, 404);
    });

    test('a folder whose disk is away is said to be, and nothing is made in its place', async () => {
      const folder = desktop.world('away', 'ada');
      await add(folder);
      desktop.expectErrors(/^sync failed: the content folder is missing/);
      rmSync(folder, { recursive: true });
      assert.equal((await act('away', 'activate')).status, 503);
      assert.equal((await list()).active, 'default');
      const made = await desktop.call('POST', '/api/entity/character', {
        body: { entity_id: 'cy', name: 'Cy' },
        headers: { 'x-project-id': 'away' },
      });
      assert.equal(made.status, 503, made.text);
      assert.ok(!existsSync(folder));
      assert.equal((await remove('away')).status, 200);
    });

    test('starter content comes only into a new or empty folder, when it is asked for', async () => {
      const full = desktop.world('full', 'ada');
      const before = readTree(full);
      const refused = await add(full, { starter: true });
      assert.deepEqual([refused.status, refused.body.code], [409, 'folder_not_empty']);
      assert.deepEqual(readTree(full), before);
      assert.equal(await find('full'), undefined);
      const fresh = join(desktop.machine, 'fresh');
      assert.equal((await add(fresh)).status, 422);
      assert.ok(!existsSync(fresh));
      assert.equal((await add(fresh, { starter: true })).status, 201);
      assert.ok(existsSync(join(fresh, '_Templates/Standard')));
      const empty = join(desktop.machine, 'empty');
      mkdirSync(empty);
      assert.equal((await add(empty)).status, 201);
      assert.deepEqual(readdirSync(empty), []);
    });

    test('folders of the system are no projects, by whatever way they are named', async () => {
      const link = join(desktop.machine, 'way_to_etc');
      symlinkSync('/etc', link);
      for (const path of [
        '/',
        '/etc',
        '/etc/ssl',
        '/usr/share',
        '/tmp',
        '/var',
        homedir(),
        link,
        '/usr/../etc',
      ]) {
        const reply = await add(path);
        assert.equal(reply.status, 422, `${path} ${reply.text}`);
        assert.equal(reply.body.code, 'invalid_path', path);
      }
      assert.equal((await add('/etc/new', { starter: true })).status, 422);
    });

    test('what is no folder of its own is refused', async () => {
      const folder = desktop.world('apart', 'ada');
      writeFileSync(join(desktop.machine, 'file'), '');
      await add(folder);
      const refusals: [string, number, Record<string, unknown>?][] = [
        ['worlds/low-water', 422],
        ['~/worlds', 422],
        [join(desktop.machine, 'nothing'), 422],
        [join(desktop.machine, 'file'), 422],
        ['/', 422],
        [desktop.config.dataDir, 422],
        [join(desktop.config.dataDir, 'logs'), 422],
        [join(folder, 'Characters'), 409],
        [desktop.machine, 409],
        [join(desktop.contentDir, '_Templates'), 409],
        [folder, 409, { name: 'another' }],
        [join(desktop.machine, 'deep/er'), 422, { starter: true }],
        [desktop.world('named', 'ada'), 409, { name: 'apart' }],
        [desktop.world('海', 'ada'), 422],
        [desktop.world('named', 'ada'), 422, { name: '../up' }],
        [`${folder}\0`, 400],
      ];
      for (const [path, status, rest] of refusals) {
        const reply = await add(path, rest);
        assert.equal(reply.status, status, `${path} ${reply.text}`);
      }
      symlinkSync(folder, join(desktop.machine, 'link'));
      const linked = await add(join(desktop.machine, 'link'));
      assert.deepEqual([linked.status, linked.body.name], [200, 'apart']);
    });

    test('of many who add one folder at once, one does', async () => {
      const folder = desktop.world('crowd', 'ada');
      const replies = await Promise.all(Array.from({ length: 20 }, () => add(folder)));
      assert.deepEqual(replies.map(({ status }) => status).sort(), [...Array(19).fill(200), 201]);
    });
  });
});

test('projects and the active one outlive a restart', async (t) => {
  const first = await startDesktop();
  t.after(() => first.close());
  const folder = first.world('kept', 'ada');
  await first.ask('POST', '/api/desktop/projects', { body: { path: folder } });
  await first.ask('POST', '/api/desktop/projects/kept/activate');
  const next = await createDesktop({
    config: first.config,
    log: errorsToStderr,
    clock: systemClock,
    watch: false,
  });
  t.after(() => next.close());
  const reply = await next.app.inject({ url: '/api/desktop/projects' });
  const { projects, active } = reply.json<{ projects: Project[]; active: string }>();
  assert.deepEqual([projects.map(({ name }) => name), active], [['default', 'kept'], 'kept']);
});
