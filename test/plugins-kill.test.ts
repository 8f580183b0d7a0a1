import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { checksumOf } from '../src/kit/crypto.ts';
import { fillContentFolder } from '../src/surfaces/starter.ts';
import type { PluginReply } from '../src/world/plugins/plugins.contract.ts';
import { snapshot } from './support/cli.ts';
import { forEachDatabase, type OpenDatabase, openTestSqlite } from './support/databases.ts';
import { buildGuest } from './support/guests/build-guest.ts';
import { type PluginFiles, pluginFiles, zipOfFiles } from './support/plugins.ts';
import { type ServiceClient, signIn } from './support/service-client.ts';
import { type MortalService, startMortalService } from './support/service-process.ts';
import { until } from './support/until.ts';

const ID = 'word-count';
const TEXTS = 12;
/** Enough files for the service to be unpacking them still when the test looks. */
const MANY = 4_000;

/** The files of a version, each of which says which it is. */
function filesOf(version: number, texts = TEXTS): PluginFiles {
  const settings = { global: [{ key: 'goal', label: 'Goal', type: 'integer', default: 500 }] };
  const panels = [
    { id: 'goals', title: 'Goals', location: 'entity-sidebar', url: 'panels/goals/index.html' },
  ];
  const manifest = {
    version: `${version}.0.0`,
    permissions: ['entities:write'],
    capabilities: { frontend: { panels }, settings },
  };
  const more = Array.from({ length: texts + version }, (_, index) => [`texts/${index}.txt`, String(version)]);
  return pluginFiles(manifest, Object.fromEntries(more));
}

interface World {
  contentDir: string;
  uploads: string;
  start(): Promise<MortalService>;
}

async function openWorld(t: TestContext, open: OpenDatabase): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'plugins-kill-'));
  const env = { DATA_DIR: join(folder, 'data'), CONTENT_DIR: join(folder, 'content') };
  const database = await open();
  await database.release();
  await fillContentFolder(env.CONTENT_DIR, { sample: false });
  const running: MortalService[] = [];
  t.after(async () => {
    for (const each of running) await each.end('SIGKILL');
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    contentDir: env.CONTENT_DIR,
    uploads: join(env.DATA_DIR, 'uploads'),
    async start() {
      const service = await startMortalService({ ...env, DATABASE_URL: database.url });
      running.push(service);
      return service;
    },
  };
}

async function upload({ url }: MortalService, { token }: ServiceClient, files: PluginFiles) {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(zipOfFiles(files))]), 'plugin.zip');
  const headers = { authorization: `Bearer ${token}` };
  const reply = await fetch(`${url}/api/plugins/upload`, { method: 'POST', headers, body: form });
  assert.equal(reply.status, 201, await reply.text());
}

const hex = (files: PluginFiles): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).map(([path, content]) => [path, Buffer.from(content).toString('hex')]),
  );

/** The version whose files, all of them and no others, are in a folder. */
function versionIn(folder: string, versions: readonly number[]): number | undefined {
  const found = existsSync(folder) ? snapshot(folder) : {};
  return versions.find((version) => {
    try {
      assert.deepEqual(found, hex(filesOf(version)));
      return true;
    } catch {
      return false;
    }
  });
}

function versionsInBin(contentDir: string, versions: readonly number[]): number[] {
  const bin = join(contentDir, '_RecycleBin/_files');
  const folders = existsSync(bin) ? readdirSync(bin) : [];
  return folders.flatMap((name) => versionIn(join(bin, name, '_Plugins', ID), versions) ?? []).sort();
}

interface Death {
  /** The service is killed while `it …`. */
  when: string;
  /** The entry at which it is killed, of a replacement by so many files. */
  entry(files: number): number;
  /** A folder of the content. */
  below: string;
  isNew: boolean;
}

const DEATHS: readonly Death[] = [
  { when: 'it stages files', entry: (files) => Math.floor(files / 2), below: '.canonry', isNew: false },
  { when: 'it has written the journal', entry: (files) => files + 1, below: '.canonry', isNew: true },
  { when: 'it has moved the former one', entry: () => 1, below: '_RecycleBin', isNew: true },
  { when: 'it has moved the new one', entry: () => 1, below: '_Plugins', isNew: true },
  { when: 'it has stored that it is installed', entry: (files) => files + 2, below: '.canonry', isNew: true },
];
/** Both databases use the same disk. */
const TRIED = { sqlite: DEATHS, postgres: DEATHS.slice(3) };

forEachDatabase((name, open) => {
  test(`a replacement that kill -9 cuts short leaves one whole version, and what was decided (${name})`, {
    timeout: 240_000,
  }, async (t) => {
    const { contentDir, start } = await openWorld(t, open);
    let service = await start();
    let writer = await signIn(service, 'register');
    await upload(service, writer, filesOf(1));
    const about = `/api/plugins/${ID}`;
    await writer.call('POST', `${about}/grants`, { permissions: ['entities:write'] });
    await writer.call('PUT', `${about}/settings`, { goal: 700 });
    await writer.call('POST', `${about}/data/counts`, { words: 3 });
    await writer.call('POST', `${about}/disable`);

    let present = 1;
    const past: number[] = [];
    for (const [index, { when, entry, below, isNew }] of TRIED[name].entries()) {
      const next = index + 2;
      const files = filesOf(next);
      await service.dieAfter(entry(Object.keys(files).length), join(contentDir, below));
      await assert.rejects(upload(service, writer, files), /fetch failed/, when);
      await service.end('SIGKILL');
      service = await start();
      writer = await signIn(service, 'login');
      await writer.settled();
      if (isNew) {
        past.push(present);
        present = next;
      }
      const versions = [...past, present, next];
      assert.equal(versionIn(join(contentDir, '_Plugins', ID), versions), present, when);
      assert.deepEqual(versionsInBin(contentDir, versions), past, when);
      assert.ok(!existsSync(join(contentDir, '.canonry/plugins')), when);
      const plugin = await writer.call<PluginReply>('GET', about);
      assert.deepEqual([plugin.version, plugin.state], [`${present}.0.0`, 'disabled'], when);
      assert.deepEqual([plugin.permissions[0]?.state, plugin.installed_by !== null], ['granted', true], when);
      assert.deepEqual(await writer.call('GET', `${about}/settings`), { goal: 700 });
    }
    await writer.call('POST', `${about}/enable`);
    assert.equal((await writer.call<{ total: number }>('GET', `${about}/data/counts`)).total, 1);
    await upload(service, writer, filesOf(20));
    assert.equal(versionIn(join(contentDir, '_Plugins', ID), [20]), 20);

    await service.dieAfter(1, join(contentDir, '_RecycleBin'));
    await assert.rejects(writer.call('DELETE', about), /fetch failed/);
    await service.end('SIGKILL');
    service = await start();
    writer = await signIn(service, 'login');
    await writer.settled();
    assert.deepEqual((await writer.call<{ plugins: unknown[] }>('GET', '/api/plugins')).plugins, []);
    assert.deepEqual(versionsInBin(contentDir, [20]), [20]);
    await upload(service, writer, filesOf(21));
    const again = await writer.call<PluginReply>('GET', about);
    assert.equal(again.permissions[0]?.state, 'asked', 'what was granted went with the plugin');
    assert.deepEqual(await writer.call('GET', `${about}/settings`), { goal: 700 });
    assert.equal(await service.end('SIGTERM'), 0);
  });
});

test('an upload that kill -9 cuts short while it is unpacked changes nothing', {
  timeout: 240_000,
}, async (t) => {
  const { contentDir, uploads, start } = await openWorld(t, openTestSqlite);
  const service = await start();
  const writer = await signIn(service, 'register');
  await upload(service, writer, filesOf(1));
  const unpacked = () =>
    existsSync(uploads)
      ? readdirSync(uploads, { recursive: true }).filter((path) => /plugin-\w+\/\d+$/.test(String(path)))
          .length
      : 0;
  const cut = assert.rejects(upload(service, writer, filesOf(2, MANY)), /fetch failed/);
  await until(() => unpacked() > 0);
  await service.end('SIGKILL');
  await cut;
  assert.ok(unpacked() < MANY, String(unpacked()));
  const again = await start();
  const reader = await signIn(again, 'login');
  await reader.settled();
  assert.equal(versionIn(join(contentDir, '_Plugins', ID), [1]), 1);
  assert.ok(!existsSync(join(contentDir, '.canonry/plugins')));
  assert.deepEqual(await reader.sync(), [0, 0, 0]);
  await upload(again, reader, filesOf(2));
  assert.equal(versionIn(join(contentDir, '_Plugins', ID), [2]), 2);
});

/** Thinks for a while before each save, and changes it. All writers together think far less than a save waits for its hook. */
const THINKING = `
export const metadata = { getInfo: () => ({ name: 'Thinking', version: '1.0.0', description: '' }) };
export const hooks = {
  onEntitySave({ entity }) {
    for (const begun = Date.now(); Date.now() - begun < 15;);
    const value = JSON.parse(entity);
    value.fields.occupation = 'seen by a hook';
    return JSON.stringify(value);
  },
  onEntityValidate() { return []; },
  onEntityCreate() {},
  onEntityDelete() {},
  onProjectInit() {},
};
`;
const WRITERS = 5;

forEachDatabase((name, open) => {
  test(`saves whose hooks kill -9 cuts short are whole or were never made (${name})`, {
    timeout: 240_000,
  }, async (t) => {
    const { contentDir, start } = await openWorld(t, open);
    const service = await start();
    const writer = await signIn(service, 'register');
    const guest = await buildGuest(THINKING, 'plugin-with-hooks');
    const manifest = { capabilities: { backend: { entry: 'guest.wasm' } } };
    await upload(service, writer, pluginFiles(manifest, { 'guest.wasm': guest }));
    const confirmed = new Set<string>();
    const save = async (id: string): Promise<void> => {
      await writer.call('POST', '/api/entity/character', { entity_id: id, name: id });
      confirmed.add(id);
    };
    const tried: string[] = [];
    const writers = Array.from({ length: WRITERS }, async (_, index): Promise<string> => {
      for (let count = 0; ; count += 1) {
        const id = `w${index}_${count}`;
        tried.push(id);
        const failure = await save(id).then(() => null, String);
        if (failure !== null) return failure;
      }
    });
    // A guest has one call at a time: others are in its hook, or wait for it, when one is confirmed.
    await until(() => confirmed.size >= WRITERS);
    await service.end('SIGKILL');
    for (const failure of await Promise.all(writers)) assert.match(failure, /fetch failed/);
    const again = await start();
    const reader = await signIn(again, 'login');
    await reader.settled();
    const left = await leftAlone(reader);
    for (const id of tried) {
      const path = join(contentDir, 'Characters', id, `CH_${id}.md`);
      const { status, body } = await entityOf(again, reader, id);
      assert.equal(status, existsSync(path) ? 200 : 404, id);
      if (confirmed.has(id)) assert.equal(status, 200, id);
      if (status === 404) continue;
      assert.equal(body.file_checksum, checksumOf(readFileSync(path)), id);
      // A guest that is not free soon leaves the save as it is, and its log says so.
      assert.equal(body.fields.occupation, left.has(id) ? undefined : 'seen by a hook', id);
    }
    assert.ok([...confirmed].some((id) => !left.has(id)));
    assert.deepEqual(await reader.sync(), [0, 0, 0]);
    assert.equal(await again.end('SIGTERM'), 0);
  });
});

/** The characters that the plugin's log names as saved without their hook, which did not come to its end in time. */
async function leftAlone(reader: ServiceClient): Promise<Set<string>> {
  const { lines } = await reader.call<{
    lines: { call: string | null; about: string | null; message: string }[];
  }>('GET', `/api/plugins/${ID}/log?kind=failed&limit=1000`);
  const late = lines.filter(
    ({ call, message }) =>
      call === 'on-entity-save' && /^(?:No guest was free for it within|It took longer than)/.test(message),
  );
  return new Set(late.flatMap(({ about }) => about?.replace('character/', '') ?? []));
}

async function entityOf({ url }: MortalService, { token }: ServiceClient, id: string) {
  const reply = await fetch(`${url}/api/entity/character/${id}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const body = (await reply.json()) as { file_checksum: string; fields: Record<string, unknown> };
  return { status: reply.status, body };
}
