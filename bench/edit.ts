import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshFolder } from './support/fresh-folder.ts';
import { limitResult, type Result } from './support/report.ts';
import { median } from './support/rounds.ts';
import { type Service, startService } from './support/service.ts';
import { firstSync } from './support/sync.ts';
import { entityIdOf, entityPathOf, entityText, worldToChange } from './world.ts';

const ENTITIES = 5_000;
const EDITS = 30;
const TOO_LONG_MS = 20_000;

/** Milliseconds until the API shows a name. */
async function untilShown(service: Service, index: number, name: string): Promise<number> {
  const started = performance.now();
  while (performance.now() - started < TOO_LONG_MS) {
    const entity = await service.call<{ name: string }>('GET', `/api/entity/character/${entityIdOf(index)}`);
    if (entity.name === name) return performance.now() - started;
    await sleep(3);
  }
  throw new Error(`${entityPathOf(index)} was edited, but the API does not show it`);
}

/** Saves a file as editors do: in place, or as a new file renamed over the old one. */
export async function run(): Promise<Result[]> {
  const content = worldToChange(ENTITIES, join(freshFolder('edit'), 'content'));
  const service = await startService(content);
  try {
    await firstSync(service);
    const times: number[] = [];
    for (let edit = 0; edit < EDITS; edit += 1) {
      const index = edit * 100;
      const name = `Edited ${edit}`;
      const path = join(content.folder, entityPathOf(index));
      const text = entityText(index).replace(/^name: .*$/m, `name: ${name}`);
      if (edit % 2 === 0) writeFileSync(path, text);
      else {
        writeFileSync(`${path}~`, text);
        renameSync(`${path}~`, path);
      }
      times.push(await untilShown(service, index, name));
      await sleep(50 + edit * 10);
    }
    return [limitResult(`edit on disk → in the API, median of ${EDITS}`, 'ms', median(times), 300)];
  } finally {
    await service.stop();
  }
}
