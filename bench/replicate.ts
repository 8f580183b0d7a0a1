import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freshFolder } from './support/fresh-folder.ts';
import { limitResult, type Result, ratioResult } from './support/report.ts';
import { median, pairOf } from './support/rounds.ts';
import { type Service, startService } from './support/service.ts';
import { firstSync } from './support/sync.ts';
import { world } from './world.ts';

/** Set REPLICATE_FILES=1000 for a quick check. */
const FILES = Number(process.env.REPLICATE_FILES ?? 10_000);
const ROUNDS = 3;
const QUIET_ROUNDS = 7;

interface Round {
  requests: number;
  pushed: number;
  pulled: number;
  error: { message: string } | null;
}

/** Starts a service on an empty folder with the templates that the world needs. */
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

async function importRate(): Promise<number> {
  const service = await startService(world(FILES));
  const { duration_ms } = await firstSync(service);
  await service.stop();
  return (FILES * 1000) / duration_ms;
}

async function quietMs(service: Service): Promise<{ ms: number; requests: number }> {
  const times: number[] = [];
  let requests = 0;
  for (let turn = 0; turn < QUIET_ROUNDS; turn += 1) {
    const started = performance.now();
    ({ requests } = await round(service, 'GET', '/api/cloud-sync/pull'));
    times.push(performance.now() - started);
  }
  return { ms: median(times), requests };
}

/** One installation sends a world to a cloud, and another one fetches it. Import rates are measured before and after. */
async function replicate() {
  const before = await importRate();
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
  // A running installation starts a sync by itself, so measuring begins immediately.
  const one = await startService(world(FILES), { dataDir: freshFolder('one-data'), env });
  await firstSync(one);
  const pushed = await rateOf(() => round(one, 'POST', '/api/cloud-sync/push'));
  const between = await importRate();
  const two = await startEmpty('two', env);
  await firstSync(two);
  const pulled = await rateOf(() => round(two, 'GET', '/api/cloud-sync/pull'));
  const quiet = await quietMs(one);
  for (const service of [one, two, hub]) await service.stop();
  const after = await importRate();
  return {
    push: { ours: pushed, floor: (before + between) / 2 },
    pull: { ours: pulled, floor: (between + after) / 2 },
    quiet,
  };
}

export async function run(): Promise<Result[]> {
  const rounds: Awaited<ReturnType<typeof replicate>>[] = [];
  for (let turn = 0; turn < ROUNDS; turn += 1) rounds.push(await replicate());
  const target = { atLeast: 0.5 };
  const [requests] = rounds.map(({ quiet }) => quiet.requests);
  return [
    ratioResult(`push of ${FILES} entities`, 'per second', pairOf(rounds.map(({ push }) => push)), target),
    ratioResult(`pull of ${FILES} entities`, 'per second', pairOf(rounds.map(({ pull }) => pull)), target),
    limitResult(
      `a round without news (${requests} request)`,
      'ms',
      median(rounds.map(({ quiet }) => quiet.ms)),
      50,
    ),
  ];
}
