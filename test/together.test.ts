import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeWorld } from './support/desktop.ts';
import { type Follower, followEvents } from './support/follower.ts';
import { treeOf } from './support/installs.ts';
import { startForgetfulRedis } from './support/redis-server.ts';
import { saveFile } from './support/save-file.ts';
import {
  type Ask,
  type DesktopInstall,
  type Member,
  type Studio,
  signIn,
  startDesktopInstall,
  startStudio,
} from './support/studio.ts';
import { until } from './support/until.ts';

const PROJECT = 'low-water';
const IN_PROJECT = `project_id=${PROJECT}`;

interface Sheet {
  role?: string;
  mood?: string;
  first?: string;
  last?: string;
}

const pathOf = (id: string) => `Characters/${id}/CH_${id}.md`;
const sheet = (
  id: string,
  { role = 'pilot', mood = 'calm', first = 'Born at sea.', last = 'Sings.' }: Sheet,
) =>
  `---\nid: ${id}\nname: ${id}\nrole: ${role}\nmood: ${mood}\n---\n${first}\n\nNobody asks why.\n\n${last}\n`;

/** Works in a folder of their own. */
class Writer {
  install!: DesktopInstall;
  readonly world: string;
  private readonly t: TestContext;
  private readonly home: string;

  constructor(t: TestContext, folder: string, name: string) {
    this.t = t;
    this.home = join(folder, name);
    this.world = join(this.home, PROJECT);
    mkdirSync(this.world, { recursive: true });
  }

  async start(): Promise<void> {
    this.install = await startDesktopInstall(this.t, join(this.home, 'data'));
  }

  async begin(cloudUrl: string, member: Member): Promise<void> {
    await this.start();
    await this.install.desktop('POST', 'projects', { path: this.world });
    await this.install.desktop('POST', `projects/${PROJECT}/activate`);
    await signIn(this.install, cloudUrl, member);
  }

  kill = () => this.install.service.end('SIGKILL');
  save = (id: string, changes: Sheet) => saveFile(join(this.world, pathOf(id)), sheet(id, changes));
  remove = (id: string) => rmSync(join(this.world, `Characters/${id}`), { recursive: true });
  read = (id: string) => readFileSync(join(this.world, pathOf(id)), 'utf8');

  async round(): Promise<void> {
    const { error } = await this.install.desktop<{ error: unknown }>('POST', 'sync/now');
    assert.equal(error, null, JSON.stringify(error));
  }
}

/** Checksums by path. */
const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    [...treeOf(folder)].map(([path, text]) => [
      path,
      createHash('sha256').update(text, 'latin1').digest('hex'),
    ]),
  );

/** As the cloud lists them. */
async function filesOfCloud(ask: Ask): Promise<Record<string, string>> {
  const { body, text } = await ask<{ entries: { relative_path: string; checksum_sha256: string }[] }>(
    'GET',
    `/api/manifest?${IN_PROJECT}`,
  );
  assert.ok(body.entries, text);
  return Object.fromEntries(
    body.entries.map(({ relative_path, checksum_sha256 }) => [relative_path, checksum_sha256]),
  );
}

const inOrder = (files: Record<string, string>) => JSON.stringify(Object.entries(files).sort());

/** Waits until the cloud, its folder and both installs have the same bytes and nothing to send. */
async function expectEqual({ owner, folderOf }: Studio, writers: readonly Writer[]): Promise<void> {
  await until(
    async () => {
      for (const { install } of writers) {
        // Periodic rounds would be too late, least of all after failures.
        await install.desktop('POST', 'sync/now');
        const { total } = await install.desktop<{ total: number }>('GET', 'sync/queue');
        if (total > 0) return false;
      }
      const there = inOrder(await filesOfCloud(owner.ask));
      const folders = [folderOf(PROJECT), ...writers.map(({ world }) => world)];
      return folders.every((folder) => inOrder(filesIn(folder)) === there);
    },
    async () => ({
      cloud: await filesOfCloud(owner.ask),
      folder: filesIn(folderOf(PROJECT)),
      installs: await Promise.all(
        writers.map(async (writer) => ({
          files: filesIn(writer.world),
          status: await writer.install.desktop('GET', 'sync/status'),
        })),
      ),
    }),
  );
}

interface Conflict {
  conflict_id: string;
  entity_id: string;
  status: string;
  local: { fields: Record<string, unknown>; markdown_body: string };
  remote: { fields: Record<string, unknown>; markdown_body: string };
}

const conflictsOf = async (ask: Ask): Promise<Conflict[]> =>
  (await ask<{ conflicts: Conflict[] }>('GET', `/api/conflicts?${IN_PROJECT}`)).body.conflicts;

/** The install that sent the conflicting text can resolve the conflict, too. */
async function decideAtInstall(writers: readonly Writer[], { conflict_id }: Conflict): Promise<void> {
  for (const { install } of writers) {
    const { conflicts } = await install.desktop<{ conflicts: { conflict_id: string }[] }>(
      'GET',
      'sync/conflicts',
    );
    if (!conflicts.some((each) => each.conflict_id === conflict_id)) continue;
    await install.desktop('POST', `sync/conflicts/${conflict_id}/resolve`, { resolution: 'local' });
    return;
  }
  assert.fail('no install knows of it');
}

/** Waits until the app has heard the whole log in order; resolves to the events about entities. */
async function stepsHeard(third: Follower, { owner }: Studio, from: string): Promise<string[]> {
  const logged = async () => {
    const query = new URLSearchParams({ project_id: PROJECT, cursor: from, limit: '1000' });
    const { body } = await owner.ask<{ events: { cursor: string }[]; reset: boolean }>(
      'GET',
      `/api/events?${query}`,
    );
    assert.equal(body.reset, false);
    return body.events;
  };
  await until(
    async () => third.events().length >= (await logged()).length,
    () => third.events(),
  );
  assert.deepEqual(
    third.events().map(({ cursor }) => cursor),
    (await logged()).map(({ cursor }) => cursor),
  );
  return third.events().map(({ action, entity_id }) => `${action} ${entity_id}`);
}

function expectSteps(heard: readonly string[], expected: readonly string[]): void {
  for (const step of expected) assert.ok(heard.includes(step), `${step} is not among ${heard}`);
}

test('two writers who were apart come back: nobody lost a word, whatever was killed on the way', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'together-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const redis = await startForgetfulRedis(t);
  const studio = await startStudio(t, folder, redis.url);
  const { cloud, owner } = studio;
  const [mara, ben] = [new Writer(t, folder, 'mara'), new Writer(t, folder, 'ben')];
  const both = [mara, ben];

  makeWorld(join(folder, 'mara'), PROJECT);
  for (const id of ['ada', 'bob', 'cyd', 'fay', 'gus']) mara.save(id, {});
  await mara.begin(cloud.url, owner);
  await mara.round();
  await ben.begin(cloud.url, await studio.join('ben@example.com'));
  await ben.round();
  await expectEqual(studio, both);
  const { body } = await owner.ask<{ cursor: string }>('GET', `/api/events?${IN_PROJECT}`);
  const { token } = await studio.join('cleo@example.com');
  const third = followEvents(cloud.url, { token, project_id: PROJECT, cursor: body.cursor });
  t.after(() => third.stop());

  for (const { install } of both) {
    await install.desktop('POST', 'sync/start');
    await install.desktop('POST', 'sync/stop');
  }
  await ben.kill();
  mara.save('ada', { role: 'captain', first: 'Born in a storm.' });
  mara.save('bob', { mood: 'glad' });
  mara.save('cyd', { last: 'Whistles.' });
  mara.save('dan', { role: 'cook' });
  mara.remove('fay');
  ben.save('ada', { mood: 'grim', last: 'Hums.' });
  ben.save('bob', { mood: 'sad' });
  ben.save('cyd', { last: 'Shouts.' });
  ben.save('eve', { role: 'smith' });
  await ben.start();

  for (const { install } of both) await install.desktop('POST', 'sync/start');
  process.kill(cloud.process('core-1').pid, 'SIGKILL');
  await redis.kill();
  await ben.kill();
  await ben.start();
  await redis.start();
  await ben.install.desktop('POST', 'sync/start');
  await expectEqual(studio, both);

  assert.equal(
    mara.read('ada'),
    sheet('ada', { role: 'captain', mood: 'grim', first: 'Born in a storm.', last: 'Hums.' }),
  );
  const conflicts = await conflictsOf(owner.ask);
  const [bob, cyd] = ['bob', 'cyd'].map((id) => conflicts.find(({ entity_id }) => entity_id === id));
  assert.ok(bob && cyd);
  assert.deepEqual([bob.local.fields.mood, bob.remote.fields.mood].sort(), ['glad', 'sad']);
  const texts = [cyd.local, cyd.remote].map(({ markdown_body }) =>
    markdown_body.trimEnd().split('\n').at(-1),
  );
  assert.deepEqual(texts.sort(), ['Shouts.', 'Whistles.']);

  const heardBefore = await stepsHeard(third, studio, body.cursor);
  expectSteps(heardBefore, [
    'update ada',
    'update bob',
    'update cyd',
    'create dan',
    'create eve',
    'delete fay',
  ]);

  await decideAtInstall(both, bob);
  const wanted = 'Born at sea.\n\nNobody asks why.\n\nWhistles, then shouts.\n';
  const decided = await owner.ask('POST', `/api/conflicts/${cyd.conflict_id}/resolve?${IN_PROJECT}`, {
    resolution: 'merged',
    markdown_body: wanted,
  });
  assert.equal(decided.status, 200, decided.text);
  await expectEqual(studio, both);
  assert.deepEqual(await conflictsOf(owner.ask), []);
  assert.ok(mara.read('cyd').endsWith(wanted));
  assert.ok(ben.read('bob').includes(`mood: ${bob.local.fields.mood}`));

  const heardAfter = await stepsHeard(third, studio, body.cursor);
  expectSteps(heardAfter.slice(heardBefore.length), ['update bob', 'update cyd']);
});
