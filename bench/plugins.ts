import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf } from './support/child.ts';
import { freshFolder } from './support/fresh-folder.ts';
import { type Connection, connectTo } from './support/one-by-one.ts';
import { installPlugins } from './support/plugins.ts';
import { withPostgres } from './support/postgres.ts';
import { limitResult, type Result } from './support/report.ts';
import { median } from './support/rounds.ts';
import { type Service, type ServiceOptions, startService } from './support/service.ts';
import { firstSync } from './support/sync.ts';
import { entityIdOf, worldToChange } from './world.ts';

const ENTITIES = 100;
const PLUGINS = 50;
const SAVES = 400;
const STARTS = 7;
const REST_MS = 15_000;
const CALLS = 200;

async function opened(name: string, plugins: number, options: ServiceOptions) {
  const content = worldToChange(ENTITIES, `${freshFolder(name)}/content`);
  const service = await startService(content, { dataDir: freshFolder(`${name}-data`), ...options });
  await firstSync(service);
  await installPlugins(service, plugins);
  return { content, service };
}

const save = ({ ask }: Connection, { token }: Service, index: number): Promise<number> =>
  ask({
    method: 'PUT',
    path: `/api/entity/character/${entityIdOf(index % ENTITIES)}`,
    token,
    body: { fields: { want: `To be saved for the ${index}th time at ${performance.now()}` } },
  });

/** The same save at two services in turn, only one of which has a plugin. */
async function saves(
  on: string,
  oursOptions: ServiceOptions,
  floorOptions: ServiceOptions,
): Promise<Result[]> {
  const [hooked, plain] = await Promise.all([
    opened(`plugins-${on}-one`, 1, oursOptions),
    opened(`plugins-${on}-none`, 0, floorOptions),
  ]);
  const [one, none] = [connectTo(hooked.service.url), connectTo(plain.service.url)];
  try {
    const [with_, without, more]: [number[], number[], number[]] = [[], [], []];
    for (let index = 0; index < SAVES; index += 1) {
      const isFirst = index % 2 === 0;
      const first = await (isFirst ? save(one, hooked.service, index) : save(none, plain.service, index));
      const second = await (isFirst ? save(none, plain.service, index) : save(one, hooked.service, index));
      // The first ones start threads and compile.
      if (index < SAVES / 4) continue;
      const [ours, floor] = isFirst ? [first, second] : [second, first];
      with_.push(ours);
      without.push(floor);
      more.push(ours - floor);
    }
    const what = `update on ${on} with a plugin whose hooks are empty; floor: without one`;
    return [
      {
        ...limitResult(what, 'ms', median(more), 1.5),
        ours: `${median(with_).toFixed(2)} ms`,
        floor: `${median(without).toFixed(2)} ms`,
      },
    ];
  } finally {
    one.close();
    none.close();
    await Promise.all([hooked.service.stop(), plain.service.stop()]);
  }
}

interface Resting {
  start: number;
  synced: number;
  rss: number;
}

/** A start of a service that has run before. */
async function restart(
  world: Awaited<ReturnType<typeof opened>>,
  env: ServiceOptions,
  rests: boolean,
): Promise<Resting> {
  const { dataDir, token } = world.service;
  const began = performance.now();
  const service = await startService(world.content, { ...env, dataDir, token });
  await firstSync(service);
  const synced = performance.now() - began;
  if (rests) await sleep(REST_MS);
  const { now: rss } = memoryOf(service.child.pid);
  await service.stop();
  return { start: service.healthMs, synced, rss };
}

async function starts(
  on: string,
  oursOptions: ServiceOptions,
  floorOptions: ServiceOptions,
): Promise<Result[]> {
  const many = await opened(`plugins-${on}-many`, PLUGINS, oursOptions);
  const none = await opened(`plugins-${on}-bare`, 0, floorOptions);
  // Guests have heard by now what they are told once for each version.
  await sleep(REST_MS);
  await Promise.all([many.service.stop(), none.service.stop()]);
  const [ours, floor]: [Resting[], Resting[]] = [[], []];
  for (let round = 0; round < STARTS; round += 1) {
    const rests = round < 2;
    ours.push(await restart(many, oursOptions, rests));
    floor.push(await restart(none, floorOptions, rests));
  }
  const compared = (
    what: string,
    unit: string,
    most: number,
    of: (one: Resting) => number,
    count: number,
  ): Result => {
    const [a, b] = [ours.slice(0, count).map(of), floor.slice(0, count).map(of)];
    const more = median(a) - median(b);
    return {
      ...limitResult(what, unit, more, most),
      ours: `${median(a).toFixed(0)} ${unit}`,
      floor: `${median(b).toFixed(0)} ${unit}`,
    };
  };
  return [
    compared(
      `spawn → /health on ${on} with ${PLUGINS} plugins; floor: none`,
      'ms',
      100,
      ({ start }) => start,
      STARTS,
    ),
    compared(
      `spawn → compared on ${on} with ${PLUGINS} plugins; floor: none`,
      'ms',
      250,
      ({ synced }) => synced,
      STARTS,
    ),
    compared(`memory at rest on ${on} with ${PLUGINS} plugins; floor: none`, 'MB', 20, ({ rss }) => rss, 2),
    ...(await calls(
      on,
      await startService(many.content, {
        ...oursOptions,
        dataDir: many.service.dataDir,
        token: many.service.token,
      }),
    )),
  ];
}

async function calls(on: string, service: Service): Promise<Result[]> {
  await firstSync(service);
  const { ask, close } = connectTo(service.url);
  const get = (path: string): Promise<number> =>
    ask({ method: 'GET', path: `/api/plugins${path}`, token: service.token });
  try {
    const lists: number[] = [];
    for (let index = 0; index < CALLS; index += 1) lists.push(await get(''));
    const first: number[] = [];
    for (let index = 0; index < 7; index += 1) first.push(await get(`/plugin-0${index}/custom/x`));
    const later: number[] = [];
    for (let index = 0; index < CALLS; index += 1) later.push(await get('/plugin-00/custom/x'));
    return [
      limitResult(`GET /api/plugins with ${PLUGINS} plugins on ${on}`, 'ms', median(lists.slice(20)), 20),
      limitResult(`first call of a guest on ${on}, its translation cached`, 'ms', median(first), 400),
      limitResult(`later calls of a guest on ${on}`, 'ms', median(later.slice(20)), 5),
    ];
  } finally {
    close();
    await service.stop();
  }
}

/** Measures the cost of plugins for a save, a start and a call. With `saves` or `starts`, that alone. */
export async function run([only]: readonly string[]): Promise<Result[]> {
  const both = async (on: string, ours: ServiceOptions, floor: ServiceOptions): Promise<Result[]> => [
    ...(only === 'starts' ? [] : await saves(on, ours, floor)),
    ...(only === 'saves' ? [] : await starts(on, ours, floor)),
  ];
  const at = (url: string): ServiceOptions => ({ env: { DATABASE_URL: url } });
  return [
    ...(await both('SQLite', {}, {})),
    ...(await withPostgres((one) => withPostgres((other) => both('PostgreSQL', at(one), at(other))))),
  ];
}
