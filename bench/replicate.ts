import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freshFolder } from './support/fresh-folder.ts';
import { limitResult, type Result, ratioResult } from './support/report.ts';
import { type Service, startService } from './support/service.ts';
import { firstSync } from './support/sync.ts';
import { world } from './world.ts';

/** Fewer to see that it works: REPLICATE_FILES=1000. */
const FILES = Number(process.env.REPLICATE_FILES ?? 10_000);
const QUIET_ROUNDS = 7;

interface Round {
  requests: number;
  pushed: number;
  pulled: number;
  error: { message: string } | null;
}

/** Starts a service on an empty folder, with the templates that the world needs. */
async function startEmpty(name: string, env: Record<string, string> = {}): Promise<Service> {
  const folder = join(freshFolder(name), 'content');
  mkdirSync(folder, { recursive: true });
  return startService({ ...world(FILES), folder }, { dataDir: freshFolder(`${name}-data`), env });
}

async function round(service: Service, method: 'GET' | 'POST', path: string): Promise<Round> {
  const done = await service.call<Round>(method, path);
  if (done.error) throw new Error(done.error.message);
  return done;
}

const rateOf = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return (FILES * 1000) / (performance.now() - started);
};

/** A world that one installation sends to a cloud and another takes over from there. */
export async function run(): Promise<Result[]> {
  const hub = await startEmpty('hub');
  const { key } = await hub.call<{ key: string }>('POST', '/api/api-keys', {
    name: 'bench',
    scopes: ['admin'],
  });
  const env = {
    CLOUD_URL: hub.url,
    CLOUD_TOKEN: key,
    ALLOW_PRIVATE_ENDPOINTS: 'true',
    SWEEP_INTERVAL: '3600s',
  };
  const plain = await startService(world(FILES));
  const imported = (FILES * 1000) / (await firstSync(plain)).duration_ms;
  await plain.stop();
  const one = await startService(world(FILES), { dataDir: freshFolder('one-data'), env });
  await firstSync(one);
  const pushed = await rateOf(() => round(one, 'POST', '/api/cloud-sync/push'));
  const two = await startEmpty('two', env);
  await firstSync(two);
  const pulled = await rateOf(() => round(two, 'GET', '/api/cloud-sync/pull'));
  const times: number[] = [];
  let requests = 0;
  for (let turn = 0; turn < QUIET_ROUNDS; turn += 1) {
    const started = performance.now();
    ({ requests } = await round(one, 'GET', '/api/cloud-sync/pull'));
    times.push(performance.now() - started);
  }
  for (const service of [one, two, hub]) await service.stop();
  const quiet = times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  const target = { atLeast: 0.5 };
  return [
    ratioResult(
      `push of ${FILES} entities`,
      'a second',
      { ours: pushed, floor: imported, ratio: pushed / imported },
      target,
    ),
    ratioResult(
      `pull of ${FILES} entities`,
      'a second',
      { ours: pulled, floor: imported, ratio: pulled / imported },
      target,
    ),
    limitResult(`a round without news (${requests} request)`, 'ms', quiet, 50),
  ];
}
