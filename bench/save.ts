import { join } from 'node:path';
import { openSaveFloor } from './floors/save.ts';
import { type Child, startChild } from './support/child.ts';
import { readEntityFields } from './support/entity-fields.ts';
import { freshFolder } from './support/fresh-folder.ts';
import { requestsPerSecond, requestText } from './support/load.ts';
import { metered } from './support/metered.ts';
import { comparedResult, type Result, ratioResult, shareResult } from './support/report.ts';
import { inTurns, type Pair } from './support/rounds.ts';
import { type Service, startService } from './support/service.ts';
import { onSlowDisk } from './support/slow-disk.ts';
import { firstSync } from './support/sync.ts';
import { entityText, worldToChange } from './world.ts';

/** Many short rounds, so that a busy moment of the machine spoils only a few. */
const SECONDS = 1;
const ROUNDS = 9;
const CROWD = 50;
/** Of the main thread for one save. */
const MOST_MICROSECONDS = 1_400;
/** More than any machine saves in one round. */
const REQUESTS = 6_000;
const BARE_SERVER = join(import.meta.dirname, 'floors', 'save-server.ts');

let made = 0;
const newId = (): string => {
  made += 1;
  return `saved_${made}`;
};

const { fields, body: markdown_body } = readEntityFields(entityText(1));
const newEntity = (id: string) => ({ entity_id: id, name: id, fields, markdown_body });

/** Requests that each create one entity of the usual size. */
const creations = (token: string): string[] =>
  Array.from({ length: REQUESTS }, () =>
    requestText('POST', '/api/entity/character', token, newEntity(newId())),
  );

/** Requests that each change one field of an entity to a new value. */
const updates = (token: string, ids: readonly string[]): string[] =>
  Array.from({ length: REQUESTS }, (_, index) =>
    requestText('PUT', `/api/entity/character/${ids[index % ids.length]}`, token, {
      fields: { want: `To be saved for the ${index}th time at ${performance.now()}` },
    }),
  );

function perSecond(work: () => void): number {
  const started = performance.now();
  let count = 0;
  for (; performance.now() - started < SECONDS * 1000; count += 1) work();
  return (count * 1000) / (performance.now() - started);
}

/**
 * Creates and updates over HTTP, alone and concurrently; each is durable before its reply. With a number of milliseconds,
 * every sync takes that much longer: the disk of a virtual machine may need only a tenth of a real one's time.
 */
export async function run([syncMs]: readonly string[]): Promise<Result[]> {
  return syncMs === undefined ? measure() : onSlowDisk(import.meta.filename, Number(syncMs));
}

async function measure(): Promise<Result[]> {
  const folder = freshFolder('save');
  const content = worldToChange(1_000, `${folder}/content`);
  const service = await startService(content);
  const floor = openSaveFloor(freshFolder('floor'));
  const bareServer = startChild([BARE_SERVER, freshFolder('bare')]);
  try {
    const bare = { child: bareServer, url: await bareServer.says(/listening on (http:\S+)/) };
    await firstSync(service);
    const ids = Array.from({ length: CROWD }, newId);
    for (const url of [service.url, bare.url]) await makeSome(url, service.token, ids);
    const text = entityText(1);
    for (const id of ids) floor.create(id, text);
    let count = 0;
    const saves: Saves[] = [
      {
        what: 'create',
        requests: () => creations(service.token),
        atFloor: () => floor.create(newId(), text),
      },
      {
        what: 'update',
        requests: () => updates(service.token, ids),
        atFloor() {
          const id = ids[count++ % ids.length] ?? '';
          floor.update(
            id,
            floor.read(id).replace(/^want: .*$/m, `want: To be saved for the ${count}th time`),
          );
        },
      },
    ];
    const results: Result[] = [];
    for (const save of saves) results.push(...(await alone(service, save)));
    for (const save of saves) results.push(await crowded(service.url, save));
    for (const save of saves) results.push(...(await bareResults(service, bare, save)));
    return results;
  } finally {
    await Promise.all([service.stop(), bareServer.stop()]);
    floor.close();
  }
}

interface Saves {
  what: string;
  /** The requests of another round. */
  requests(): string[];
  atFloor(): void;
}

const load = (url: string, connections: number, { requests }: Saves): Promise<number> =>
  requestsPerSecond(url, { connections, seconds: SECONDS, requests: requests() });

async function alone(service: Service, save: Saves): Promise<Result[]> {
  const ours = metered(service.child.pid, SECONDS, () => load(service.url, 1, save));
  const theirs = metered(process.pid, SECONDS, async () => perSecond(save.atFloor));
  const pair = await inTurns(ROUNDS, { ours: ours.run, floor: theirs.run });
  return [
    ratioResult(`${save.what}, 1 client`, 'saves/s', pair, { atLeast: 0.8 }),
    shareResult(`${save.what}: CPU time per save`, 'µs', ours.microseconds(), theirs.microseconds()),
  ];
}

const againstOne = (url: string, save: Saves): Promise<Pair> =>
  inTurns(ROUNDS, { ours: () => load(url, CROWD, save), floor: () => load(url, 1, save) });

const crowded = async (url: string, save: Saves): Promise<Result> =>
  ratioResult(
    `${save.what}, ${CROWD} clients; floor: 1 client of ours`,
    'saves/s',
    await againstOne(url, save),
    {
      atLeast: 2.5,
    },
  );

/**
 * Ours beside the same saves behind plain `node:http`, which shows the part of the time that disk and protocol
 * take before a service does anything.
 */
async function bareResults(
  service: Service,
  bare: { url: string; child: Child },
  save: Saves,
): Promise<Result[]> {
  const ours = metered(service.child.pid, SECONDS, () => load(service.url, 1, save));
  const theirs = metered(bare.child.pid, SECONDS, () => load(bare.url, 1, save));
  const pair = await inTurns(ROUNDS, { ours: ours.run, floor: theirs.run });
  const crowd = await againstOne(bare.url, save);
  const mainThread = ours.mainThreadMicroseconds();
  return [
    comparedResult(`${save.what}, 1 client; floor: the floor behind node:http`, 'saves/s', pair),
    {
      ...shareResult(
        `${save.what}: main-thread time a save; floor: the same`,
        'µs',
        mainThread,
        theirs.mainThreadMicroseconds(),
      ),
      target: `≤ ${MOST_MICROSECONDS} µs`,
      passed: mainThread <= MOST_MICROSECONDS,
    },
    comparedResult(
      `${save.what}, ${CROWD} clients of the floor behind node:http; floor: 1 client of it`,
      'saves/s',
      crowd,
    ),
  ];
}

async function makeSome(url: string, token: string, ids: readonly string[]): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  for (const id of ids) {
    const body = JSON.stringify(newEntity(id));
    const reply = await fetch(`${url}/api/entity/character`, { method: 'POST', headers, body });
    if (!reply.ok) throw new Error(`${url} made no entity: ${await reply.text()}`);
  }
}
