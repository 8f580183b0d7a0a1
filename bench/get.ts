import type { Result } from './support/report.ts';
import { serveWorld } from './support/served-world.ts';
import { compareServing } from './support/serving.ts';
import { entityIdOf } from './world.ts';

const ENTITIES = 100_000;
const ASKED_FOR = 500;

/** Gets single entities by id, different ones in turn. */
export async function run(): Promise<Result[]> {
  const served = await serveWorld(ENTITIES);
  try {
    const step = ENTITIES / ASKED_FOR;
    const paths = Array.from(
      { length: ASKED_FOR },
      (_, index) => `/api/entity/character/${entityIdOf(index * step)}`,
    );
    return await compareServing(`get by id, of ${ENTITIES}`, served, { paths, atLeast: 0.6 });
  } finally {
    await served.stop();
  }
}
