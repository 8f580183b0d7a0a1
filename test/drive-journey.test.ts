import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { mailIn } from './support/accounts.ts';
import {
  type DriveStudio,
  filesIn,
  PROJECT,
  pathsOf,
  startDriveStudio,
} from './support/drive/drive-journey.ts';
import { hasRedisServer, startForgetfulRedis } from './support/redis-server.ts';
import { signIn, startDesktopInstall } from './support/studio.ts';
import { until } from './support/until.ts';

const REDIS_URL = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';

const mainFile = (id: string, folder = id) => `Characters/${folder}/CH_${id}.md`;
const [MIRA, ILSE, ODA, LIN] = ['mira_vale', 'ilse_vale', 'oda_pell', 'lin_haiyue'] as const;

interface Entity {
  fields: Record<string, unknown>;
  markdown_body: string;
}

interface Conflict {
  conflict_id: string;
  entity_id: string;
  local: { markdown_body: string };
  remote: { markdown_body: string };
}

/** Calls that do something in the project or look at it. */
function projectOf({ call, folderOf }: DriveStudio) {
  const at = (id: string) => `/api/entity/character/${id}`;
  return {
    entity: (id: string) => call<Entity>(200, 'GET', at(id)),
    edit: (id: string, body: object) => call<Entity>(200, 'PUT', at(id), body),
    remove: (id: string) => call(200, 'DELETE', at(id)),
    text: (path: string) => readFileSync(join(folderOf(PROJECT), path), 'utf8'),
    conflicts: async () => (await call<{ conflicts: Conflict[] }>(200, 'GET', '/api/conflicts')).conflicts,
    recycled: async () =>
      (await call<{ items: { entity_id: string }[] }>(200, 'GET', '/api/recycle-bin')).items.map(
        ({ entity_id }) => entity_id,
      ),
    /** Newest first. */
    versions: async (id: string) =>
      (
        await call<{ revisions: { version: number }[] }>(200, 'GET', `${at(id)}/revisions?limit=200`)
      ).revisions.map(({ version }) => version),
  };
}

async function startDesktop(t: TestContext, { cloud, owner }: DriveStudio) {
  const home = mkdtempSync(join(tmpdir(), 'drive-desktop-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const world = join(home, PROJECT);
  mkdirSync(world);
  const install = await startDesktopInstall(t, join(home, 'data'));
  await install.desktop('POST', 'projects', { path: world });
  await install.desktop('POST', `projects/${PROJECT}/activate`);
  await signIn(install, cloud.url, owner);
  return {
    async round() {
      const { error } = await install.desktop<{ error: unknown }>('POST', 'sync/now');
      assert.equal(error, null, JSON.stringify(error));
    },
    files: () => filesIn(world),
  };
}

test('a world lives in a drive, whatever is killed on the way', async (t) => {
  const redis = hasRedisServer ? await startForgetfulRedis(t) : null;
  const studio = await startDriveStudio(t, redis?.url ?? REDIS_URL);
  const { cloud, owner, server, google, call, alike, forced, worker, editThere, here, there } = studio;
  const project = projectOf(studio);
  const ben = server.person('Ben');
  const step = async (name: string, work: () => Promise<void>) => {
    const begun = performance.now();
    await work();
    t.diagnostic(`${name}: ${Math.round(performance.now() - begun)} ms`);
  };

  await step('connect and pick a folder', async () => {
    const made = await owner.ask('POST', '/api/projects', {
      id: PROJECT,
      name: 'Low Water',
      start: 'sample',
    });
    assert.equal(made.status, 201, made.text);
    assert.equal((await call(200, 'GET', '/api/drive/status')).connected, false);
    await studio.consent();
    assert.equal((await call(200, 'GET', '/api/drive/status')).connected, true);
    server.owner.createFolder(server.rootId, 'Saltmarsh');
    server.owner.createFolder(server.rootId, 'Private', { visible: false });
    const { folders } = await call<{ folders: { id: string; name: string }[] }>(
      200,
      'GET',
      '/api/drive-storage/folders',
    );
    assert.deepEqual(
      folders.map(({ name }) => name),
      ['Saltmarsh'],
    );
    studio.folderId = folders[0]?.id ?? '';
    await call(200, 'POST', '/api/drive-storage/select-folder', { folder_id: studio.folderId });
  });

  await step('the first sync, while the drive restarts and the worker is killed', async () => {
    await until(() => there().length > 10);
    await server.restart(500);
    await until(() => there().length > 30);
    process.kill(cloud.process('worker').pid, 'SIGKILL');
    await alike();
    await until(async () => (await worker())?.running === false);
    assert.equal((await worker())?.last_error, null);
  });
  const sample = pathsOf(here());
  assert.ok(sample.includes(mainFile(MIRA)) && sample.includes(`Characters/${MIRA}/images/portrait.png`));
  assert.equal((await call(200, 'POST', '/api/drive/webhook/register')).registered, true);

  await step('an edit there arrives by a notification', async () => {
    editThere(mainFile(LIN), (text) => text.replace(/^summary: .*$/m, 'summary: Told by the drive.'));
    await until(async () => (await project.entity(LIN)).fields.summary === 'Told by the drive.');
  });

  await step('edits on both sides merge', async () => {
    editThere(
      mainFile(MIRA),
      (text) =>
        text
          .replace(/^flaw: .*$/m, 'flaw: She counts while others cry.')
          .replace('her hands first', 'her chalk first'),
      'unheard',
    );
    await project.edit(MIRA, { fields: { courage: 9, need: 'To let go.' } });
    await until(async () => (await project.entity(MIRA)).markdown_body.includes('her chalk first'));
    await alike();
    const { fields } = await project.entity(MIRA);
    assert.deepEqual(
      [fields.flaw, fields.need, fields.courage],
      ['She counts while others cry.', 'To let go.', 9],
    );
    assert.deepEqual(await project.conflicts(), []);
  });

  await step('edits of the same paragraph are a conflict, and both are kept', async () => {
    const { markdown_body: before } = await project.entity(ILSE);
    editThere(
      mainFile(ILSE),
      (text) => text.replace('There is a kettle on', 'There is a stove on'),
      'unheard',
    );
    await project.edit(ILSE, {
      markdown_body: before.replace('There is a kettle on', 'There is a lamp on'),
    });
    await until(async () => (await project.conflicts()).length > 0);
    await alike();
    const [conflict, ...others] = await project.conflicts();
    assert.ok(conflict && others.length === 0);
    assert.equal(conflict.entity_id, ILSE);
    assert.match(conflict.local.markdown_body, /There is a lamp on/);
    assert.match(conflict.remote.markdown_body, /There is a stove on/);
    assert.match(project.text(mainFile(ILSE)), /There is a stove on/);
    await call(200, 'POST', `/api/conflicts/${conflict.conflict_id}/resolve`, {
      resolution: 'merged',
      markdown_body: before.replace('There is a kettle on', 'There are a stove and a lamp on'),
    });
    await until(() => project.text(mainFile(ILSE)).includes('a stove and a lamp'));
    await alike();
    assert.deepEqual(await project.conflicts(), []);
  });

  await step('a folder renamed there is a move here, although a core is killed at it', async () => {
    const versions = await project.versions(ODA);
    server.notifications.lose = 2;
    editThere(mainFile(ODA), (text) => text.replace(/^flaw: .*$/m, 'flaw: She decides.'));
    ben.rename(server.at(`Characters/${ODA}`, studio.folderId)?.id ?? '', 'the_ear');
    await project.edit(ODA, { fields: { need: 'To say it.' } });
    await studio.killAtWrite('core-1');
    await alike();
    assert.ok(pathsOf(here()).includes(mainFile(ODA, 'the_ear')));
    // The file is there a moment before the database says so.
    await until(async () => (await project.entity(ODA)).fields.flaw === 'She decides.');
    assert.equal((await project.entity(ODA)).fields.need, 'To say it.');
    const [newest = 0, ...older] = await project.versions(ODA);
    assert.ok(newest > (versions[0] ?? 0));
    assert.ok(versions.every((version) => older.includes(version)));
    assert.ok(pathsOf(there()).includes('Characters/the_ear/images/portrait.png'));
  });

  await step('deletions on each side end in the other one’s trash', async () => {
    const silt = server.at('Characters/brother_silt', studio.folderId);
    const tobin = server.at('Characters/tobin_sark', studio.folderId);
    assert.ok(silt && tobin);
    await project.remove('brother_silt');
    await until(() => server.file(silt.id)?.trashedItself === true);
    ben.trash(tobin.id);
    await until(async () => (await project.recycled()).includes('tobin_sark'));
    await alike();
    assert.deepEqual((await project.recycled()).sort(), ['brother_silt', 'tobin_sark']);
    assert.ok(server.file(tobin.id), 'not gone for good');
  });

  const desktop = await startDesktop(t, studio);
  await step('a desktop install sees all of it', async () => {
    await desktop.round();
    assert.deepEqual(desktop.files(), here());
  });

  await step('Redis dies and comes back empty', async () => {
    if (redis === null) return t.diagnostic('left out: no redis-server here');
    editThere(mainFile(MIRA), (text) => text.replace(/^want: .*$/m, 'want: A second sum.'), 'unheard');
    await redis.kill();
    await redis.start();
    await until(async () => {
      const { status } = await owner.ask('PUT', `/api/entity/character/${MIRA}?project_id=${PROJECT}`, {
        fields: { stakes: 'All of Lowtown.' },
      });
      return status === 200;
    });
    await until(async () => (await project.entity(MIRA)).fields.want === 'A second sum.');
    await alike();
    assert.match(project.text(mainFile(MIRA)), /^stakes: All of Lowtown\.$/m);
    editThere(mainFile(MIRA), (text) => text.replace(/^want: .*$/m, 'want: A third sum.'));
    await until(async () => (await project.entity(MIRA)).fields.want === 'A third sum.');
  });

  await step('disconnected, both sides stay; connected again, they merge', async () => {
    const before = here();
    await call(200, 'POST', '/api/drive-storage/disconnect');
    assert.equal(await worker(), null);
    assert.deepEqual([here(), there()], [before, before]);
    const asked = server.requests.length;
    await project.edit(LIN, { fields: { need: 'Written here, apart.' } });
    editThere(mainFile(LIN), (text) => text.replace(/^want: .*$/m, 'want: Written there, apart.'));
    editThere(mainFile(ILSE), (text) => `${text}\nAdded there, apart.\n`);
    const made = { entity_id: 'new_face', name: 'New Face', markdown_body: 'Made apart.\n' };
    await call(201, 'POST', '/api/entity/character', made);
    await desktop.round();
    assert.equal(server.requests.length, asked, 'the drive is left alone');
    await call(200, 'POST', '/api/drive-storage/select-folder', { folder_id: studio.folderId });
    await alike();
    assert.deepEqual(await project.conflicts(), []);
    const lin = project.text(mainFile(LIN));
    assert.ok(lin.includes('Written here, apart.') && lin.includes('Written there, apart.'));
    assert.ok(project.text(mainFile(ILSE)).endsWith('Added there, apart.\n'));
  });

  await step('a consent that is taken back stops the sync, and a new one goes on', async () => {
    const [before, pathsThere] = [pathsOf(here()), pathsOf(there())];
    google.endConsent('mara');
    await project.edit(LIN, { fields: { story_role: 'mentor' } });
    editThere(mainFile(LIN), (text) => text.replace(/^want: .*$/m, 'want: Consent.'));
    await until(async () => (await call(200, 'GET', '/api/drive/status')).connected === false);
    const status = await call<{ problem: string }>(200, 'GET', '/api/drive/status');
    assert.match(status.problem, /taken back or has expired/);
    assert.match(await mailIn(studio.outbox, owner.email, 2), /Google/);
    await until(async () => /Connect Google again/.test((await worker())?.last_error ?? ''), worker);
    assert.deepEqual([pathsOf(here()), pathsOf(there())], [before, pathsThere]);
    await studio.consent();
    await forced();
    assert.match(project.text(mainFile(LIN)), /^story_role: mentor$/m);
    assert.match(project.text(mainFile(LIN)), /^want: Consent\.$/m);
  });

  await step('everything is there once', async () => {
    assert.equal((await worker())?.last_error, null);
    assert.deepEqual(await project.conflicts(), []);
    const moved = (path: string) => path.replace(`Characters/${ODA}/`, 'Characters/the_ear/');
    const isDeleted = (path: string) => /^Characters\/(brother_silt|tobin_sark)\//.test(path);
    const expected = [...sample.filter((path) => !isDeleted(path)).map(moved), mainFile('new_face')];
    assert.deepEqual(pathsOf(here()), expected.sort());
    await desktop.round();
    assert.deepEqual(desktop.files(), here());
    assert.deepEqual(there(), here());
  });
});
