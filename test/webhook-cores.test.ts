import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createWorkerSurface } from '../src/surfaces/worker.surface.ts';
import { startCloud } from './support/cloud.ts';
import { errorsToStderr } from './support/errors-to-stderr.ts';
import { until } from './support/until.ts';
import { startReceiver } from './support/webhook-receiver.ts';

const webhooks = { everyMs: 30, privateEndpoints: 'admitted' } as const;
const cloud = await startCloud({ core: { webhooks } });
const receiver = await startReceiver();
after(() => Promise.all([cloud.close(), receiver.close()]));
const [one, other] = cloud.cores;
const { token } = cloud.accounts.first;

const startWorker = () =>
  createWorkerSurface({ config: one.config, log: errorsToStderr, clock: cloud.clock, webhooks });

const create = async (core: typeof one, entity_id: string): Promise<void> => {
  const body = { entity_id, name: entity_id };
  const reply = await core.call('POST', '/api/entity/character', { token, body });
  assert.equal(reply.status, 201, reply.text);
};
const idsOn = (path: string) => receiver.on(path).map(({ event }) => String(event.entity_id));

test('each event is sent once, however many cores and workers there are, and when no core is left', async (t) => {
  const body = { url: `${receiver.url}/hook`, events: ['entity_updated'] };
  const made = await one.call('POST', '/api/webhooks', { token, body });
  assert.equal(made.status, 201, made.text);
  const workers = await Promise.all([startWorker(), startWorker()]);
  t.after(() => Promise.all(workers.map((worker) => worker.close())));
  const ids = Array.from({ length: 30 }, (_, index) => `shared_${index}`);
  await Promise.all(ids.map((id, index) => create(index % 2 ? one : other, id)));
  await until(async () => idsOn('/hook').length >= ids.length);
  assert.deepEqual(idsOn('/hook').sort(), ids.toSorted());

  await Promise.all(workers.map((worker) => worker.close()));
  const late = ['late_1', 'late_2'];
  for (const id of late) await create(one, id);
  await Promise.all([one.close(), other.close()]);
  const last = await startWorker();
  t.after(() => last.close());
  await until(async () => idsOn('/hook').length >= ids.length + late.length);
  assert.deepEqual(idsOn('/hook').sort(), [...ids, ...late].sort());
});

test('in the cloud nothing is sent to private addresses, nor in the clear', async (t) => {
  const strict = await startCloud();
  t.after(() => strict.close());
  const refusal = async (url: string) => {
    const owner = strict.accounts.first.token;
    const reply = await strict.cores[0].call<{ detail: string }>('POST', '/api/webhooks', {
      token: owner,
      body: { url },
    });
    assert.equal(reply.status, 422, reply.text);
    return reply.body.detail;
  };
  assert.match(await refusal('http://wiki.example.com/'), /must begin with https:/);
  const inside = await refusal('https://127.0.0.1/');
  assert.match(inside, /private address/);
  assert.doesNotMatch(inside, /ALLOW_PRIVATE/);
});
