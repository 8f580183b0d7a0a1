import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Step } from '../src/world/changesets/step.ts';
import { answerWhen, type CloudCore, startCloud } from './support/cloud.ts';
import { startCore, type TestCore, type TestReply } from './support/core.ts';
import { forEachDatabase } from './support/databases.ts';
import { openTestSocket, socketAddress } from './support/sockets.ts';
import { until } from './support/until.ts';

/** By the system's own count. */
function watchedFolders(): number {
  const texts = readdirSync('/proc/self/fdinfo').map((fd) => {
    try {
      return readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8');
    } catch {
      return '';
    }
  });
  return texts.join('\n').match(/^inotify wd:/gm)?.length ?? 0;
}
const threads = (): number => readdirSync('/proc/self/task').length;

/** Repeats the request while the service answers that it is busy. */
const served = <Body>(ask: () => Promise<TestReply<Body>>): Promise<TestReply<Body>> =>
  answerWhen(ask, ({ status }) => status !== 503);

const character = (id: string, name = id) => `---\nid: ${id}\nname: ${name}\n---\n`;
const create = (id: string): Step => ({
  kind: 'create',
  entity_type: 'character',
  entity_id: id,
  text: character(id),
});

forEachDatabase((_name, open) => {
  describe('projects of one core, at most three of them open', () => {
    const names = Array.from({ length: 4 }, (_, index) => `world-${index}`);
    let core: TestCore;
    before(async () => {
      core = await startCore({ open, watch: true, openProjects: { most: 3, idleMs: 200 } });
    });
    after(() => core.close());

    const path = (project: string, rest = '') => `/api/entity/character${rest}?project_id=${project}`;
    const add = (project: string, id: string) =>
      served(() => core.call('POST', path(project), { body: { entity_id: id, name: id } }));
    const get = (project: string, id: string) =>
      served(() => core.call<{ name: string }>('GET', path(project, `/${id}`)));
    const openNames = () => core.projects.opened().map(({ projectId }) => projectId);
    const othersClosed = () => until(() => openNames().length === 1);
    const fileOf = (project: string, id: string) =>
      join(core.config.dataDir, 'projects', project, 'Characters', id, `CH_${id}.md`);

    test('are used in turn by parallel requests without loss, and leave no thread and no watch behind', async () => {
      for (const project of core.projects.opened()) await core.mirror.whenSettled(project);
      const watchedBefore = watchedFolders();
      await add('warm-up', 'first');
      const threadsBefore = threads();
      const most = { open: 0, watched: 0 };
      const isOver = { now: false };
      const observing = (async () => {
        while (!isOver.now) {
          most.open = Math.max(most.open, openNames().length);
          most.watched = Math.max(most.watched, watchedFolders());
          await sleep(1);
        }
      })();
      for (const round of [0, 1]) {
        const replies = await Promise.all(
          names.flatMap((name) => [add(name, `a${round}`), add(name, `b${round}`)]),
        );
        for (const { status, text } of replies) assert.equal(status, 201, text);
      }
      const totals = await Promise.all(names.map((name) => served(() => core.call('GET', path(name)))));
      assert.deepEqual(
        totals.map(({ body }) => body.total),
        names.map(() => 4),
      );
      isOver.now = true;
      await observing;
      assert.equal(most.open, 3);
      await othersClosed();
      assert.deepEqual(openNames(), ['default']);
      assert.ok(most.watched > watchedBefore, 'open projects are watched');
      await until(() => watchedFolders() === watchedBefore);
      await until(
        () => threads() <= threadsBefore,
        () => `${threads()} threads, ${threadsBefore} before`,
      );
    });

    test('show what was done to their files while they were closed', async () => {
      await add('edited', 'kept');
      await add('edited', 'gone');
      await othersClosed();
      writeFileSync(fileOf('edited', 'kept'), character('kept', 'Somebody else'));
      rmSync(join(fileOf('edited', 'gone'), '..'), { recursive: true });
      mkdirSync(join(fileOf('edited', 'new'), '..'));
      writeFileSync(fileOf('edited', 'new'), character('new'));
      await until(async () => (await get('edited', 'kept')).body.name === 'Somebody else');
      await until(async () => (await get('edited', 'new')).status === 200);
      await until(async () => (await get('edited', 'gone')).status === 404);
    });

    test('are listened to while they are closed, and when they are opened anew', async () => {
      const address = await socketAddress(core.app);
      const listen = async () => {
        const socket = await openTestSocket(address, { token: core.adminToken, project_id: 'heard' });
        await socket.next('ready');
        return socket;
      };
      await add('heard', 'first');
      const early = await listen();
      await othersClosed();
      await add('heard', 'second');
      assert.equal((await early.next('entity_updated')).entity_id, 'second');
      const late = await listen();
      await othersClosed();
      await add('heard', 'third');
      for (const socket of [early, late]) {
        assert.equal((await socket.next('entity_updated')).entity_id, 'third');
        socket.peer.close();
      }
    });

    test('are not closed by requests for projects that there are not', async () => {
      const replies = await Promise.all(
        Array.from({ length: 12 }, (_, index) => core.call('GET', path(`nowhere-${index}`))),
      );
      assert.deepEqual([...new Set(replies.map(({ status }) => status))], [404]);
      assert.equal((await add('world-0', 'after_all')).status, 201);
    });

    test('stay open while an operation runs in them, and others wait for their place', async () => {
      const end = Promise.withResolvers<void>();
      async function* steps() {
        yield create('early');
        await end.promise;
        yield create('late');
      }
      const operate = async (name: string) => {
        const { project, release } = await core.projects.borrow('local', name, { create: true });
        const work = core.changesets.apply(project, {
          kind: 'import',
          label: 'Import two',
          author: { actor: 'somebody', plan: 'enterprise' },
          source: 'import',
          steps: steps(),
        });
        release();
        return { work };
      };
      const first = await operate('busy-0');
      await add('bystander', 'nobody');
      await until(() => openNames().length === 2);
      assert.deepEqual(openNames(), ['default', 'busy-0']);

      const second = await operate('busy-1');
      const told: string[] = [];
      const waiting = add('waiting', 'patient').then(({ status }) => told.push(`answered ${status}`));
      for (let round = 0; round < 10; round += 1) await get('busy-0', 'nobody');
      assert.deepEqual(openNames(), ['default', 'busy-0', 'busy-1']);
      told.push('operations end');
      end.resolve();
      for (const { work } of [first, second]) assert.equal((await work).status, 'done');
      await waiting;
      assert.deepEqual(told, ['operations end', 'answered 201']);
      await othersClosed();
      for (const name of ['busy-0', 'busy-1']) assert.equal((await get(name, 'late')).status, 200);
    });
  });
});

describe('tenants of two cores that keep two projects open', () => {
  let cloud: Awaited<ReturnType<typeof startCloud>>;
  before(async () => {
    cloud = await startCloud({ core: { openProjects: { most: 2, idleMs: 60_000 } } });
  });
  after(() => cloud.close());

  test('each have all that they wrote at either', async () => {
    const tenants = await Promise.all(Array.from({ length: 4 }, () => cloud.accounts.register()));
    const call = (core: CloudCore, token: string, body?: object) =>
      served(() => core.call(body ? 'POST' : 'GET', '/api/entity/character', { token, body }));
    const writes = tenants.flatMap(({ token }) =>
      Array.from({ length: 4 }, (_, index) => {
        const id = `person_${index}`;
        return call(cloud.cores[index % 2] as CloudCore, token, { entity_id: id, name: id });
      }),
    );
    for (const { status, text } of await Promise.all(writes)) assert.equal(status, 201, text);
    for (const core of cloud.cores) {
      const lists = await Promise.all(tenants.map(({ token }) => call(core, token)));
      assert.deepEqual(
        lists.map(({ body }) => body.total),
        tenants.map(() => 4),
      );
      assert.ok(core.projects.opened().length <= 2);
    }
  });
});
