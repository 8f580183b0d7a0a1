import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { createTestClock } from '../../../test/support/auth.ts';
import {
  answerPush,
  type CloudAnswer,
  type FakeCloud,
  json,
  page,
  startFakeCloud,
} from '../../../test/support/fake-cloud.ts';
import { type Installation, startInstallation } from '../../../test/support/installs.ts';
import { listen } from '../../../test/support/listen.ts';
import { startPeople } from '../../../test/support/people.ts';
import { replicaOf } from '../../../test/support/replication.ts';
import { LOCAL_TENANT } from '../../access/local-tenant.ts';
import { classifyPath } from '../../content/paths/index.ts';
import { copyPath } from '../sync/copy-path.ts';

const SKILL = '_Skills/namer.yml';

describe('what the cloud refused, and who is signed in to it', () => {
  const clock = createTestClock();
  let cloud: FakeCloud;
  let install: Installation;

  before(async () => {
    cloud = await startFakeCloud();
    install = await startInstallation({ url: cloud.url, token: 'ann' }, { clock });
    await install.core.mirror.sync(install.project, { kind: 'full' });
  });
  after(async () => {
    cloud.close();
    await install.core.close();
  });

  const pulls: (string | undefined)[] = [];
  const cloudThat =
    (reasonFor: (key: string) => string | null, pulled: object = { complete: false }): CloudAnswer =>
    (request, response) => {
      if (request.method !== 'GET') return answerPush(reasonFor)(request, response);
      pulls.push(request.url);
      return json(200, page(pulled))(request, response);
    };
  const needsPlan = (key: string) => (key === SKILL ? 'another plan is needed' : null);

  test('it is sent again some time later, whoever asked for nothing', async () => {
    cloud.answers(cloudThat(needsPlan));
    await install.write(SKILL, 'name: Namer\n');
    assert.ok((await install.sync()).pushed > 0);
    const tried = await install.sync();
    assert.deepEqual([tried.pushed, tried.left.some(({ key }) => key === SKILL)], [0, true]);
    assert.equal((await install.sync()).requests, 1);
    cloud.answers(cloudThat(() => null));
    assert.equal((await install.sync()).requests, 1);
    clock.pass(11 * 60_000);
    assert.ok((await install.sync()).pushed > 0);
    assert.deepEqual(await install.core.cloudSync.queue(install.project, 10).then(keysOf), []);
  });

  test('it is sent again once something else was taken', async () => {
    cloud.answers(cloudThat(needsPlan));
    await install.write(SKILL, 'name: Namer again\n');
    await install.write('notes.txt', 'Buy rope.\n');
    assert.equal((await install.sync()).pushed, 1);
    cloud.answers(cloudThat(() => null));
    assert.equal((await install.sync()).pushed, 1);
  });

  test('a clock that was set back puts that off for no day', async () => {
    cloud.answers(cloudThat(needsPlan));
    await install.write(SKILL, 'name: Namer once more\n');
    await install.sync();
    await install.sync();
    cloud.answers(cloudThat(() => null));
    assert.equal((await install.sync()).requests, 1);
    clock.pass(-60_000);
    assert.equal((await install.sync()).pushed, 1);
  });

  test('who signs in to another tenant of the same cloud begins from nothing, and nothing is deleted', async () => {
    const tree = install.tree();
    const tokens = { access_token: 'bob', refresh_token: 'none', expires_in: 3600 };
    await install.core.cloudSync.links.save(LOCAL_TENANT, {
      url: cloud.url,
      ...tokens,
      account: 'bob@example.com',
    });
    pulls.length = 0;
    cloud.answers(cloudThat(() => null, { complete: true }));
    const { held, deleted_here, pushed } = await install.sync();
    assert.deepEqual([held, deleted_here, pushed > 0], [null, 0, true]);
    assert.ok(!pulls[0]?.includes('cursor='), pulls[0]);
    assert.deepEqual(install.tree(), tree);
  });

  test('large files that the cloud has no room for keep neither the others nor the texts', async () => {
    const detail = 'The plan has no room for it';
    cloud.answers(
      takingBatches(
        cloudThat(() => null),
        ({ filename }) => (filename === 'huge.png' ? detail : null),
      ),
    );
    await install.write('Assets/huge.png', randomBytes(400_000));
    await install.write('Assets/map.png', randomBytes(300_000));
    await install.write('notes.txt', 'Buy tar.\n');
    const { pushed, left, error } = await install.sync();
    assert.deepEqual([pushed, left, error], [2, [{ key: 'Assets/huge.png', reason: detail }], null]);
    assert.equal((await install.sync()).requests, 2);
    assert.equal((await install.sync()).requests, 1);
    cloud.answers(
      takingBatches(
        cloudThat(() => null),
        () => null,
      ),
    );
    clock.pass(11 * 60_000);
    assert.equal((await install.sync()).pushed, 1);
  });

  test('large files whose batch the cloud has no more go in a new one at once', async () => {
    const gone = { detail: 'There is no such batch of yours: begin a new one', code: 'no_such_batch' };
    let sent = 0;
    cloud.answers((request, response) => {
      if (request.url?.startsWith('/bytes')) {
        sent += 1;
        return json(sent === 1 ? 404 : 200, sent === 1 ? gone : {})(request, response);
      }
      const upload = { method: 'PUT', url: '/bytes', headers: {} };
      return takingBatches(
        cloudThat(() => null),
        () => null,
        { state: 'missing', asset_id: null, upload },
      )(request, response);
    });
    await install.write('Assets/coast.png', randomBytes(300_000));
    const { pushed, left } = await install.sync();
    assert.deepEqual([pushed, left, sent], [1, [], 2]);
  });

  test('a token of somebody who signed in meanwhile is not used for a round of the one before', async () => {
    const { links } = install.core.cloudSync;
    const link = await links.require(LOCAL_TENANT);
    assert.equal(await links.accessToken(LOCAL_TENANT, link), 'bob');
    const tokens = { access_token: 'eve', refresh_token: 'none', expires_in: 3600 };
    await links.save(LOCAL_TENANT, { url: cloud.url, ...tokens, account: 'eve@example.com' });
    await assert.rejects(links.accessToken(LOCAL_TENANT, link), { code: 'busy' });
  });
});

interface Announced {
  sha256: string;
  filename: string;
}

/** A cloud that already has the bytes of every announced file, unless `reasonFor` gives a reason to refuse it. */
const takingBatches =
  (others: CloudAnswer, reasonFor: (file: Announced) => string | null, more: object = {}): CloudAnswer =>
  async (request, response) => {
    if (!request.url?.startsWith('/api/uploads/batches')) return others(request, response);
    const { files } = JSON.parse(await text(request)) as { files: Announced[] };
    const [detail] = files.flatMap((file) => reasonFor(file) ?? []);
    if (detail !== undefined) return json(402, { detail })(request, response);
    const taken = files.map(({ sha256 }) => ({
      sha256,
      state: 'present',
      asset_id: 'one',
      upload: null,
      detail: null,
      ...more,
    }));
    return json(201, { id: 'batch', expires_at: '', files: taken })(request, response);
  };

const keysOf = ({ changes }: { changes: { key: string; problem: string | null }[] }): string[] =>
  changes.filter(({ key }) => key === SKILL).map(({ key }) => key);

test('an editor who changed a rule file gets the cloud’s next one, and keeps the own beside', async () => {
  const rules = '_Rules/CHARACTER_RULES.md';
  const hub = await startPeople();
  const link = { url: await listen(hub), token: hub.cast.editor.token };
  const install = await startInstallation(link, {});
  await install.sync();
  const former = install.read(rules);
  await install.write(rules, `${former}\nMine.\n`);
  const refused = await install.sync();
  assert.deepEqual(
    refused.left.map(({ key }) => key),
    [rules],
  );
  replicaOf(hub).write(rules, `${former}\nTheirs.\n`);
  await hub.call('POST', '/api/sync/refresh-all');
  const { kept_copies: copies } = await install.sync();
  assert.equal(install.read(rules), `${former}\nTheirs.\n`);
  assert.equal(copies.length, 1);
  assert.equal(install.read(copies[0] ?? ''), `${former}\nMine.\n`);
  await install.core.close();
  await hub.close();
});

test('a copy of a definition defines nothing', () => {
  for (const path of ['_Rules/X_RULES.md', SKILL, '_Templates/Custom/SHIP_TEMPLATE.md']) {
    const copy = copyPath(path, 'a1b2c3d4e5', 1);
    assert.equal(classifyPath(copy, new Map()).role, 'other', copy);
  }
});
