import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf } from './support/child.ts';
import { requestsPerSecond, requestText } from './support/load.ts';
import { limitResult, type Result } from './support/report.ts';
import { type Service, startService } from './support/service.ts';
import { firstSync } from './support/sync.ts';
import { entityIdOf, world } from './world.ts';

const ENTITIES = 100_000;
const REST_MS = 10_000;

async function restingMemory(): Promise<number> {
  const content = world(100);
  const first = await startService(content);
  await firstSync(first);
  await first.stop();
  const service = await startService(content, { dataDir: first.dataDir });
  await firstSync(service);
  await sleep(REST_MS);
  const { now } = memoryOf(service.child.pid);
  await service.stop();
  return now;
}

/** Lists, searches and single entities, mixed, from 16 connections. */
async function serve({ url, token }: Service): Promise<void> {
  const paths = ['/api/entity/character?limit=50', '/api/entity/character?limit=50&search=tudaf+tovim'];
  for (let index = 0; index < ENTITIES; index += 101)
    paths.push(`/api/entity/character/${entityIdOf(index)}`);
  const requests = paths.map((path) => requestText('GET', path, token));
  await requestsPerSecond(url, { connections: 16, seconds: 10, requests });
}

/** Resident memory of the service's process. */
export async function run(): Promise<Result[]> {
  const rest = await restingMemory();
  const content = world(ENTITIES);
  const importing = await startService(content);
  await firstSync(importing);
  const { highest } = memoryOf(importing.child.pid);
  await importing.stop();
  const serving = await startService(content, { dataDir: importing.dataDir });
  await firstSync(serving);
  await serve(serving);
  await sleep(REST_MS);
  const { now } = memoryOf(serving.child.pid);
  await serving.stop();
  return [
    limitResult('at rest, 100 entities', 'MB', rest, 120),
    limitResult(`${ENTITIES} entities served`, 'MB', now, 250),
    limitResult(`${ENTITIES} entities imported, peak`, 'MB', highest, 500),
  ];
}
