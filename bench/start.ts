import { slowestHealth } from './support/health.ts';
import { limitResult, type Result } from './support/report.ts';
import { median } from './support/rounds.ts';
import { startService } from './support/service.ts';
import { firstSync } from './support/sync.ts';
import { world } from './world.ts';

const ENTITIES = 100_000;
const STARTS = 5;

/** A start with a folder and database that agree, and the latency while they are compared. */
export async function run(): Promise<Result[]> {
  const content = world(ENTITIES);
  const first = await startService(content);
  const importing = await slowestHealth(first, firstSync(first));
  await first.stop();
  const starts: number[] = [];
  const answers: number[] = [];
  for (let count = 0; count < STARTS; count += 1) {
    const service = await startService(content, { dataDir: first.dataDir });
    starts.push(service.healthMs);
    answers.push(await slowestHealth(service, firstSync(service)));
    await service.stop();
  }
  return [
    limitResult(`spawn → /health with ${ENTITIES} entities, median of ${STARTS}`, 'ms', median(starts), 600),
    limitResult('slowest /health while the folder is compared', 'ms', Math.max(...answers), 100),
    limitResult('slowest /health while the folder is imported', 'ms', importing, 100),
  ];
}
