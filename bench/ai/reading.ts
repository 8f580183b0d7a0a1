import { setTimeout as sleep } from 'node:timers/promises';
import { ninetyNinthOf } from '../support/load.ts';
import { limitResult, type Result, shareResult } from '../support/report.ts';
import { type Service, startService } from '../support/service.ts';
import { firstSync } from '../support/sync.ts';
import { entityIdOf, world } from '../world.ts';

const ENTITIES = 10_000;
const GETS_A_SECOND = 50;
const SECONDS = 10;
/** Within this, the first entities are read. */
const BEGINS_WITHIN_MS = 30_000;

interface Status {
  /** Null before anybody has searched by meaning. */
  index: { state: string; done: number } | null;
}

/** Gets of others while the model of this machine reads a world's entities in the background. */
export async function run(): Promise<Result[]> {
  const service = await startService(world(ENTITIES));
  try {
    await firstSync(service);
    const pace = {
      token: service.token,
      paths: [0, 4_000, 9_000].map((index) => `/api/entity/character/${entityIdOf(index)}`),
      perSecond: GETS_A_SECOND,
      seconds: SECONDS,
    };
    const alone = await ninetyNinthOf(service.url, pace);
    await service.call('GET', '/api/search?q=harbour&mode=semantic');
    const before = await begun(service);
    const started = performance.now();
    const beside = await ninetyNinthOf(service.url, pace);
    const { done, state } = await progressOf(service);
    if (state !== 'indexing') throw new Error(`nothing is read any more (${state}): take more entities`);
    const rate = Math.round(((done - before) / (performance.now() - started)) * 1_000);
    const what = `p99 of gets while ${ENTITIES} entities are read for searches by meaning, ${rate} a second`;
    return [
      limitResult(what, 'ms', beside, 50),
      shareResult('the same; floor: while nothing is read', 'ms', beside, alone),
    ];
  } finally {
    await service.stop();
  }
}

async function progressOf({ call }: Service): Promise<{ state: string; done: number }> {
  const { index } = await call<Status>('GET', '/api/ai/embeddings');
  return index ?? { state: 'not begun', done: 0 };
}

/** Resolves to how many were read when it had begun. */
async function begun(service: Service): Promise<number> {
  const deadline = performance.now() + BEGINS_WITHIN_MS;
  for (;;) {
    const { done } = await progressOf(service);
    if (done > 0) return done;
    if (performance.now() > deadline) throw new Error('no entity was read');
    await sleep(100);
  }
}
