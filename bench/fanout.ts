import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { type Child, cpuSecondsOf, startChild } from './support/child.ts';
import type { Crowd } from './support/fanout-client.ts';
import { freshFolder } from './support/fresh-folder.ts';
import { limitResult, type Result, ratioResult } from './support/report.ts';
import { type Service, signInAs, startService } from './support/service.ts';
import { firstSync } from './support/sync.ts';
import { BENCH_FOLDER, entityIdOf, worldToChange } from './world.ts';

const SOCKETS = 1_000;
/** Each person may have fifty sockets. */
const PEOPLE = 25;
const EVENTS = 200;
const PER_SECOND = 20;

interface Heard {
  p99: number;
  /** CPU time of the server for one event at one socket. */
  cpuMicroseconds: number;
}

/**
 * A thousand listeners, twenty changes a second: the latency of events, and the cost of a delivery compared with a bare
 * broadcast.
 */
export async function run(): Promise<Result[]> {
  const service = await startService(worldToChange(100, freshFolder('fanout')));
  const floor = startChild([join(import.meta.dirname, 'floors', 'broadcast.ts')]);
  try {
    await firstSync(service);
    const floorUrl = await floor.says(/listening on (http:\S+)/);
    const tokens = [service.token];
    while (tokens.length < PEOPLE)
      tokens.push(await signInAs(service.url, `listener${tokens.length}@example.com`));
    const paths = tokens.map((token) => `/api/ws?token=${token}`);
    const save = saveOf(service);
    const alone = await cpuOf(service.child, () => steadily(save));
    const ours = await heardBy(service.url, paths, service.child, save, alone);
    const sender = new WebSocket(floorUrl.replace('http', 'ws'));
    await new Promise((resolve) => sender.once('open', resolve));
    const least = await heardBy(floorUrl, ['/'], floor, async () => sender.send(eventText()), 0);
    sender.terminate();
    const pair = {
      ours: ours.cpuMicroseconds,
      floor: least.cpuMicroseconds,
      ratio: least.cpuMicroseconds / ours.cpuMicroseconds,
    };
    const what = `${SOCKETS} sockets, ${PER_SECOND} events/s`;
    return [
      limitResult(`${what}: p99 from commit to arrival`, 'ms', ours.p99, 250),
      ratioResult(`${what}: CPU time per delivery`, 'µs', pair, { atLeast: 0.6 }),
    ];
  } finally {
    await Promise.all([service.stop(), floor.stop()]);
  }
}

function saveOf(service: Service): (index: number) => Promise<void> {
  return async (index) => {
    const id = entityIdOf(index % 100);
    await service.call('PUT', `/api/entity/character/${id}`, {
      fields: { want: `Changed for the ${index}th time at ${performance.now()}` },
    });
  };
}

/** As long as a real event. */
const eventText = (): string =>
  JSON.stringify({
    type: 'entity_updated',
    entity_type: 'character',
    entity_id: entityIdOf(0),
    action: 'update',
    updated_fields: ['want'],
    updated_by: '8a52e0d4-6a0f-4a6e-9f0a-0f3c8a1de001',
    timestamp: new Date().toISOString(),
  });

async function steadily(change: (index: number) => Promise<void>): Promise<void> {
  const begun = performance.now();
  const changes: Promise<void>[] = [];
  for (let index = 0; index < EVENTS; index += 1) {
    const early = begun + (index * 1000) / PER_SECOND - performance.now();
    if (early > 0) await sleep(early);
    changes.push(change(index));
  }
  await Promise.all(changes);
}

async function cpuOf(child: Child, work: () => Promise<unknown>): Promise<number> {
  const before = cpuSecondsOf(child.pid);
  await work();
  return cpuSecondsOf(child.pid) - before;
}

/** `alone`: seconds of the server's CPU time for the changes themselves. */
async function heardBy(
  url: string,
  paths: string[],
  server: Child,
  change: (index: number) => Promise<void>,
  alone: number,
): Promise<Heard> {
  const orders: Crowd = { port: Number(new URL(url).port), paths, sockets: SOCKETS, events: EVENTS };
  const file = join(BENCH_FOLDER, 'fanout-client.json');
  writeFileSync(file, JSON.stringify(orders));
  const client = startChild([join(import.meta.dirname, 'support', 'fanout-client.ts'), file]);
  await client.says(/all are open/);
  const seconds = await cpuOf(server, () => Promise.all([steadily(change), client.done()]));
  const p99 = Number(/p99 (\S+)/.exec(client.output())?.[1]);
  return { p99, cpuMicroseconds: ((seconds - alone) * 1e6) / (SOCKETS * EVENTS) };
}
