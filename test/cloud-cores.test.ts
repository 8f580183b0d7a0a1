import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Step } from '../src/world/changesets/step.ts';
import { type CloudCore, startCloud } from './support/cloud.ts';

const cloud = await startCloud();
after(() => cloud.close());
const { accounts, cores } = cloud;
const [one, other] = cores;
const { token, tenantId } = accounts.first;

interface Operation {
  operation_id: string;
  label: string;
  status: string;
}

const operationsAt = async (core: CloudCore) => {
  const { body } = await core.call<{ operations: Operation[] }>('GET', '/api/operations/history', { token });
  return body.operations.map(({ label, status }) => [label, status]);
};
const create = (id: string): Step => ({
  kind: 'create',
  entity_type: 'character',
  entity_id: id,
  text: `---\nid: ${id}\nname: ${id}\n---\n`,
});

test('an operation of one core is running at all of them, and none takes it for one that was cut short', async () => {
  const project = await one.projects.open(tenantId, 'default');
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  async function* steps() {
    yield create('first');
    begun.resolve();
    await end.promise;
    yield create('second');
  }
  const work = one.changesets.apply(project, {
    kind: 'import',
    label: 'Import two',
    author: { actor: accounts.first.id, plan: 'team' },
    source: 'import',
    steps: steps(),
  });
  await begun.promise;
  const another = await cloud.core();
  for (const core of [other, another]) {
    assert.deepEqual(await operationsAt(core), [['Import two', 'running']]);
    const opened = await core.projects.open(tenantId, 'default');
    await core.changesets.recover(opened);
    const refused = await core.call<{ code: string; detail: string }>('POST', '/api/rename-entity', {
      token,
      body: { entity_type: 'character', old_id: 'first', new_id: 'premier' },
    });
    assert.deepEqual([refused.status, refused.body.code], [409, 'operation_running'], refused.text);
    assert.match(refused.body.detail, /^'Import two' is still running/);
  }
  end.resolve();
  assert.equal((await work).status, 'done');
  for (const core of [one, other, another]) {
    assert.deepEqual(await operationsAt(core), [['Import two', 'done']]);
    assert.equal((await core.call('GET', '/api/entity/character/second', { token })).status, 200);
  }
});

test('cores that save and sync at once agree in the end', async () => {
  const save = (core: CloudCore, id: string) =>
    core.call('POST', '/api/entity/character', { token, body: { entity_id: id, name: id } });
  const names = Array.from({ length: 24 }, (_, index) => `person_${index}`);
  const work = names.map((id, index) => save(cores[index % 2] as CloudCore, id));
  const syncs = cores.map((core) => core.call('POST', '/api/entity/sync/all', { token }));
  for (const { status, text } of await Promise.all(work)) assert.equal(status, 201, text);
  for (const { status, text } of await Promise.all(syncs)) assert.ok(status < 300, text);
  const raced = await Promise.all(
    cores.map((core, index) =>
      core.call('PUT', '/api/entity/character/person_0', { token, body: { name: `Name ${index}` } }),
    ),
  );
  assert.deepEqual(
    raced.map(({ status }) => status),
    [200, 200],
  );
  const totals = await Promise.all(
    cores.map((core) => core.call('GET', '/api/entity/character?search=person', { token })),
  );
  assert.deepEqual(
    totals.map(({ body }) => body.total),
    [24, 24],
  );
  for (const core of cores) {
    const project = await core.projects.open(tenantId, 'default');
    const report = await core.mirror.sync(project, { kind: 'full' });
    assert.deepEqual([report.created, report.updated, report.deleted], [0, 0, 0]);
  }
});
