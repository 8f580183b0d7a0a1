import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { type AssetBody, picture } from './support/asset-files.ts';
import { cliWorld } from './support/cli.ts';
import { startCloud } from './support/cloud.ts';
import { startRedisRelay } from './support/redis-relay.ts';
import { startServiceProcess } from './support/service-process.ts';
import { until } from './support/until.ts';

const cloud = await startCloud();
after(() => cloud.close());
const { token, tenantId } = cloud.accounts.first;
const [core] = cloud.cores;

async function addPicture(name: string, colour: string): Promise<void> {
  const project = await core.projects.open(tenantId, 'default');
  const folder = join(cloud.contentDir, tenantId, project.projectId, 'Assets');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), await picture(colour));
  const scan = await core.call('POST', '/api/assets/scan', { token, body: {} });
  assert.equal(scan.status, 200, scan.text);
}

const isMeasured = (name: string) => async (): Promise<boolean> => {
  const { body } = await core.call<{ assets: AssetBody[] }>('GET', '/api/assets', { token });
  return body.assets.find(({ filename }) => filename === name)?.width === 64;
};

async function startWorker(t: TestContext, redisUrl: string) {
  const folder = mkdtempSync(join(tmpdir(), 'canonry-worker-'));
  const env = { ...cloud.env, DATA_DIR: folder, REDIS_URL: redisUrl };
  const worker = await startServiceProcess(env, ['--surface', 'worker']);
  t.after(async () => {
    await worker.end('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  return worker;
}

test('serve --surface worker: does what cores ask for, after a kill of another and without Redis too', async (t) => {
  const relay = await startRedisRelay(t);
  await addPicture('early.png', '#336699');
  const first = await startWorker(t, relay.url);
  assert.equal((await fetch(`${first.url}/health`)).status, 200);
  await until(isMeasured('early.png'));
  await first.end('SIGKILL');
  await addPicture('late.png', '#993366');
  await relay.down();
  const second = await startWorker(t, relay.url);
  await until(isMeasured('late.png'));
  assert.equal(await second.end('SIGTERM'), 0);
});

test('a self-hosted installation is told that it needs no worker', async (t) => {
  const { code, err } = await cliWorld(t).run('serve', '--provision', '--surface', 'worker');
  assert.equal(code, 2);
  assert.match(err, /^canonry: DEPLOYMENT must be cloud for the worker surface: .* does its jobs itself/);
});
