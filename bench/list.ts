import type { Result } from './support/report.ts';
import { serveWorld } from './support/served-world.ts';
import { compareServing } from './support/serving.ts';

const ENTITIES = 100_000;
/** Each word is in about a tenth of the entities, both are in 2 %. */
const WORDS = 'tudaf+tovim';

/** A page of a long list, and a page of search results. */
export async function run(): Promise<Result[]> {
  const served = await serveWorld(ENTITIES);
  try {
    const list = '/api/entity/character?limit=50';
    const compare = (what: string, path: string, atLeast = 0.8) =>
      compareServing(what, served, { paths: [path], atLeast });
    return [
      ...(await compare(`list of 50 of ${ENTITIES}`, list)),
      ...(await compare('the same at offset 90,000', `${list}&offset=90000`, 0.6)),
      ...(await compare(
        'the same at offset 50,000, the farthest from both ends',
        `${list}&offset=50000`,
        0.6,
      )),
      ...(await compare('search of two words, 50 best', `${list}&search=${WORDS}`)),
    ];
  } finally {
    await served.stop();
  }
}
