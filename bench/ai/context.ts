import { join } from 'node:path';
import { readContext } from '../floors/read-context.ts';
import { limitResult, type Result, shareResult } from '../support/report.ts';
import { median } from '../support/rounds.ts';
import { startService } from '../support/service.ts';
import { firstSync } from '../support/sync.ts';
import { entityIdOf, world } from '../world.ts';

const ENTITIES = 100_000;
const RELATIONS = 200;
const ROUNDS = 40;
const WARM_UP = 5;
const HUB = 'bench_hub';

/** Nothing listens there: a preview sends nothing. */
const PROVIDER = { AI_BASE_URL: 'http://127.0.0.1:9/v1', AI_MODEL: 'none' };

/** A preview of a generation for an entity with many relations, over HTTP. The floor reads and parses the same rows. */
export async function run(): Promise<Result[]> {
  const service = await startService(world(ENTITIES), { env: PROVIDER });
  try {
    await firstSync(service);
    const step = ENTITIES / RELATIONS;
    const relationships = Array.from({ length: RELATIONS }, (_, index) => entityIdOf(index * step));
    await service.call('POST', '/api/entity/character', {
      entity_id: HUB,
      name: 'Hub',
      fields: { relationships },
    });
    const body = { entity_type: 'character', entity_id: HUB, target: { fields: 'empty' }, dry_run: true };
    const floor = readContext(join(service.dataDir, 'canonry.db'), [HUB, ...relationships]);
    const [ours, least]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
      const started = performance.now();
      await service.call('POST', '/api/ai/generate', body);
      const between = performance.now();
      floor.read();
      if (round < WARM_UP) continue;
      ours.push(between - started);
      least.push(performance.now() - between);
    }
    floor.close();
    const what = `context of an entity with ${RELATIONS} relations, of ${ENTITIES}`;
    return [
      limitResult(`${what}, over HTTP, median`, 'ms', median(ours), 30),
      shareResult('the same; floor: reading and parsing the rows', 'ms', median(ours), median(least)),
    ];
  } finally {
    await service.call('DELETE', `/api/entity/character/${HUB}`).catch(() => {});
    await service.call('DELETE', '/api/recycle-bin').catch(() => {});
    await service.stop();
  }
}
