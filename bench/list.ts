import { type Result, ratioResult } from './support/report.ts';
import { serveWorld } from './support/served-world.ts';
import { compareServing } from './support/serving.ts';

const ENTITIES = 100_000;
/** Each word is in about a tenth of the entities, both are in 2 %. */
const WORDS = 'tudaf+tovim';

/** A page of a long list, and of what a search finds in it. */
export async function run(): Promise<Result[]> {
  const served = await serveWorld(ENTITIES);
  try {
    const list = await compareServing(served, ['/api/entity/character?limit=50']);
    const search = await compareServing(served, [`/api/entity/character?limit=50&search=${WORDS}`]);
    return [
      ratioResult(`list of 50 of ${ENTITIES}`, 'requests/s', list, { atLeast: 0.8 }),
      ratioResult('search of two words, 50 best', 'requests/s', search, { atLeast: 0.8 }),
    ];
  } finally {
    await served.stop();
  }
}
