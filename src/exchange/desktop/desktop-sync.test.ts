import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startCore } from '../../../test/support/core.ts';
import { startDesktop, writeCharacter } from '../../../test/support/desktop.ts';
import { listen } from '../../../test/support/listen.ts';

interface Status {
  state: string;
  periodic: boolean;
  pending: { to_push: number; conflicts: number };
}
interface Round {
  error: { code: string } | null;
  pushed: number;
  conflicts: number;
}
interface Queue {
  total: number;
  changes: { key: string; kind: string; change: string }[];
}
interface Conflicts {
  total: number;
  conflicts: { conflict_id: string; entity_id: string; status: string }[];
}

test('a project is synced on request: what overlaps is decided here, and what waits for the cloud is shown', async (t) => {
  const cloud = await startCore();
  const desktop = await startDesktop({
    env: { ALLOW_PRIVATE_ENDPOINTS: 'true', CLOUD_URL: await listen(cloud), CLOUD_TOKEN: cloud.adminToken },
  });
  t.after(() => Promise.all([desktop.close(), cloud.close()]));
  const sync = async <Body>(method: string, what: string, body?: object): Promise<Body> => {
    const reply = await desktop.ask<Body>(method, `/api/desktop/sync/${what}`, { ...(body && { body }) });
    assert.equal(reply.status, 200, `${what}: ${reply.text}`);
    return reply.body;
  };
  const round = async (what: string) => {
    const result = await sync<Round>('POST', what);
    assert.equal(result.error, null, JSON.stringify(result));
    return result;
  };
  /** Writes as an editor does, and lets the service read it. */
  const write = async (id: string, text: string) => {
    writeCharacter(desktop.contentDir, id, text);
    await desktop.ask('POST', '/api/desktop/projects/default/scan');
  };
  const here = () => readFileSync(join(desktop.contentDir, 'Characters/ada/CH_ada.md'), 'utf8');
  const there = async () =>
    (await cloud.call<{ markdown_body: string }>('GET', '/api/entity/character/ada')).body.markdown_body;

  assert.equal((await sync<Status>('POST', 'start')).periodic, true);
  assert.equal((await sync<Status>('POST', 'stop')).periodic, false);
  await write('ada', 'First.');
  await round('force-push');
  assert.equal(await there(), 'First.\n');

  await cloud.call('PUT', '/api/entity/character/ada', { body: { markdown_body: 'From the cloud.\n' } });
  await write('ada', 'From here.');
  assert.equal((await round('now')).conflicts, 1);
  assert.ok(here().endsWith('From the cloud.\n'));
  const [found] = (await sync<Conflicts>('GET', 'conflicts')).conflicts;
  assert.equal(found?.entity_id, 'ada');
  const resolution = { resolution: 'local' };
  const decided = await sync<{ status: string }>(
    'POST',
    `conflicts/${found.conflict_id}/resolve`,
    resolution,
  );
  assert.equal(decided.status, 'resolved');
  await round('now');
  assert.ok(here().endsWith('From here.\n'));
  assert.equal(await there(), 'From here.\n');
  assert.equal((await sync<Conflicts>('GET', 'conflicts')).total, 0);
  const unknown = await desktop.ask('POST', '/api/desktop/sync/conflicts/none/resolve', { body: resolution });
  assert.equal(unknown.status, 404);
  await round('force-pull');

  await write('bob', 'Alone.');
  await cloud.app.close();
  assert.equal((await sync<Round>('POST', 'now')).error?.code, 'unreachable');
  const { changes } = await sync<Queue>('GET', 'queue');
  assert.deepEqual(
    changes.map(({ kind, change }) => `${change} ${kind}`),
    ['create entity'],
  );
  assert.equal((await sync<Status>('GET', 'status')).pending.to_push, 1);
});
