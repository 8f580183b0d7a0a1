import { type Culture, readCultures } from './cultures.ts';
import { keyOf, makeNames } from './markov.ts';
import { createRandom } from './random.ts';
import { SAMPLES } from './samples.ts';

interface Reply {
  status?: number;
  body: unknown;
}

/** The part of the host that is used here. */
export interface World {
  cultures(): string;
  listIds(type: string): string[];
  nameOf(type: string, id: string): string | null;
  search(query: string): { name: string }[];
  now(): number;
  anySeed(): string;
}

const TYPE = 'type:';
const FEWEST_NAMES = 3;
const MOST_COUNT = 50;
const USUAL_COUNT = 8;
/** Of entries whose names are read one by one, within the time that a route has. */
const MOST_READ = 400;
const READING_MS = 2_000;

const refused = (status: number, detail: string): Reply => ({ status, body: { detail } });

/** `GET names?culture=…&count=…&seed=…` and `GET cultures`. A culture `type:location` is the names of that type. */
export function answer(world: World, path: string, query: Readonly<Record<string, string>>): Reply {
  const cultures = [...readCultures(world.cultures()), ...SAMPLES];
  if (path === '/cultures')
    return {
      body: { cultures: cultures.map(({ id, label, names }) => ({ id, label, names: names.length })) },
    };
  if (path !== '/names') return refused(404, 'There are /cultures and /names?culture=…&count=…&seed=…');
  const count = Number(query.count ?? USUAL_COUNT);
  if (!Number.isInteger(count) || count < 1 || count > MOST_COUNT)
    return refused(422, `count is a whole number from 1 to ${MOST_COUNT}`);
  const culture = query.culture ?? '';
  const samples = samplesOf(world, cultures, culture);
  if (samples === null)
    return refused(404, `There is no culture '${culture}': GET cultures lists them, and type:… is a type`);
  if (samples.length < FEWEST_NAMES)
    return refused(422, `'${culture}' has ${samples.length} names; at least ${FEWEST_NAMES} are needed`);
  const seed = query.seed ?? world.anySeed();
  const isTaken = (name: string) => world.search(name).some((hit) => keyOf(hit.name) === keyOf(name));
  return {
    body: { culture, seed, names: makeNames(samples, { count, random: createRandom(seed), isTaken }) },
  };
}

function samplesOf(world: World, cultures: readonly Culture[], wanted: string): readonly string[] | null {
  if (wanted.startsWith(TYPE)) return namesOfType(world, wanted.slice(TYPE.length));
  return cultures.find(({ id }) => id === wanted.toLowerCase())?.names ?? null;
}

function namesOfType(world: World, type: string): string[] {
  const until = world.now() + READING_MS;
  const names: string[] = [];
  for (const id of spread(world.listIds(type), MOST_READ)) {
    const name = world.nameOf(type, id);
    if (name !== null) names.push(name);
    if (world.now() > until) break;
  }
  return names;
}

/** `most` items, from all over the list. */
function spread(ids: readonly string[], most: number): string[] {
  const step = Math.max(1, ids.length / most);
  return Array.from({ length: Math.min(ids.length, most) }, (_, at) => ids[Math.floor(at * step)] ?? '');
}
