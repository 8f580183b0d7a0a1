import { type Result, ratioResult } from './support/report.ts';
import { inTurns } from './support/rounds.ts';
import { startService } from './support/service.ts';
import { firstSync } from './support/sync.ts';
import { milliseconds, walk } from './support/walk.ts';
import { world } from './world.ts';

const FILES = 20_000;

/** A sync over HTTP of an unchanged folder. */
export async function run(): Promise<Result[]> {
  const content = world(FILES);
  const service = await startService(content, { env: { SWEEP_INTERVAL: '3600s' } });
  await firstSync(service);
  const known = walk(content.folder);
  try {
    const pair = await inTurns(7, {
      async ours() {
        const started = performance.now();
        const report = await service.call<{ unchanged: number }>('POST', '/api/entity/sync/all', {});
        if (report.unchanged !== FILES) throw new Error(`unexpected: ${JSON.stringify(report)}`);
        return performance.now() - started;
      },
      async floor() {
        return milliseconds(() => {
          const changed = [...walk(content.folder)].filter(([path, stat]) => known.get(path) !== stat);
          if (changed.length > 0) throw new Error(`${changed.length} files changed meanwhile`);
        });
      },
    });
    return [ratioResult(`sync of ${FILES} unchanged files`, 'ms', pair, { atMost: 1.5 })];
  } finally {
    await service.stop();
  }
}
