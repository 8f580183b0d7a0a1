import { openSaveFloor } from './floors/save.ts';
import { readEntityFields } from './support/entity-fields.ts';
import { freshFolder } from './support/fresh-folder.ts';
import { requestsPerSecond, requestText } from './support/load.ts';
import { metered } from './support/metered.ts';
import { type Result, ratioResult, shareResult } from './support/report.ts';
import { inTurns, type Pair } from './support/rounds.ts';
import { type Service, startService } from './support/service.ts';
import { onSlowDisk } from './support/slow-disk.ts';
import { firstSync } from './support/sync.ts';
import { entityText, worldToChange } from './world.ts';

/** Many short rounds: a busy moment of the machine spoils few of them. */
const SECONDS = 1;
const ROUNDS = 9;
const CROWD = 50;
/** More than any machine saves in one round. */
const REQUESTS = 6_000;

let made = 0;
const newId = (): string => {
  made += 1;
  return `saved_${made}`;
};

/** Requests that each make one entity of the size of the others. */
const creations = (token: string): string[] => {
  const { fields, body } = readEntityFields(entityText(1));
  return Array.from({ length: REQUESTS }, () => {
    const id = newId();
    return requestText('POST', '/api/entity/character', token, {
      entity_id: id,
      name: id,
      fields,
      markdown_body: body,
    });
  });
};

/** Requests that each change one field of one of the entities, every time to another value. */
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
 * Creates and updates over HTTP, alone and by many at once; each is on the disk before it is answered. With a number of
 * milliseconds as on a disk whose syncs take so much longer: a virtual machine's may take a tenth of a real one's.
 */
export async function run([syncMs]: readonly string[]): Promise<Result[]> {
  return syncMs === undefined ? measure() : onSlowDisk(import.meta.filename, Number(syncMs));
}

async function measure(): Promise<Result[]> {
  const folder = freshFolder('save');
  const content = worldToChange(1_000, `${folder}/content`);
  const service = await startService(content);
  const floor = openSaveFloor(freshFolder('floor'));
  try {
    await firstSync(service);
    const ids = await makeSome(service, CROWD);
    const text = entityText(1);
    for (const id of ids) floor.create(id, text);
    const load = (connections: number, requests: string[]) =>
      requestsPerSecond(service.url, { connections, seconds: SECONDS, requests });
    const alone = async (what: string, requests: () => string[], save: () => void): Promise<Result[]> => {
      const ours = metered(service.child.pid, SECONDS, () => load(1, requests()));
      const theirs = metered(process.pid, SECONDS, async () => perSecond(save));
      const pair = await inTurns(ROUNDS, { ours: ours.run, floor: theirs.run });
      return [
        ratioResult(what, 'saves/s', pair, { atLeast: 0.8 }),
        shareResult(`${what}: CPU time a save`, 'µs', ours.microseconds(), theirs.microseconds()),
      ];
    };
    const create = await alone(
      'create, 1 client',
      () => creations(service.token),
      () => floor.create(newId(), text),
    );
    let count = 0;
    const update = await alone(
      'update, 1 client',
      () => updates(service.token, ids),
      () => {
        const id = ids[count++ % ids.length] ?? '';
        floor.update(id, floor.read(id).replace(/^want: .*$/m, `want: To be saved for the ${count}th time`));
      },
    );
    const crowd = async (requests: (token: string) => string[]): Promise<Pair> =>
      inTurns(ROUNDS, {
        ours: () => load(CROWD, requests(service.token)),
        floor: () => load(1, requests(service.token)),
      });
    const creates = await crowd(creations);
    const changes = await crowd((token) => updates(token, ids));
    return [
      ...create,
      ...update,
      ratioResult(`create, ${CROWD} clients; floor: 1 client of ours`, 'saves/s', creates, { atLeast: 5 }),
      ratioResult(`update, ${CROWD} clients; floor: 1 client of ours`, 'saves/s', changes, { atLeast: 5 }),
    ];
  } finally {
    await service.stop();
    floor.close();
  }
}

async function makeSome(service: Service, count: number): Promise<string[]> {
  const { fields, body } = readEntityFields(entityText(1));
  const ids = Array.from({ length: count }, newId);
  for (const id of ids) {
    await service.call('POST', '/api/entity/character', {
      entity_id: id,
      name: id,
      fields,
      markdown_body: body,
    });
  }
  return ids;
}
