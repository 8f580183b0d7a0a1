import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startChild } from './support/child.ts';
import { freshFolder } from './support/fresh-folder.ts';
import { type Result, ratioResult } from './support/report.ts';
import { inTurns } from './support/rounds.ts';
import { startService } from './support/service.ts';
import { firstSync } from './support/sync.ts';
import { world } from './world.ts';

const FILES = 20_000;
const FLOOR = join(import.meta.dirname, 'floors', 'import.ts');

/** State with only an account: password hashing is not part of an import. */
async function withAccount(): Promise<{ dataDir: string; token: string }> {
  const folder = freshFolder('nothing');
  mkdirSync(join(folder, 'Characters'));
  const service = await startService({ folder, count: 0 });
  await firstSync(service);
  await service.stop();
  return service;
}

/** Imports a folder that is unknown to the database. */
export async function run(): Promise<Result[]> {
  const content = world(FILES);
  const pair = await inTurns(3, {
    async ours() {
      const service = await startService(content, await withAccount());
      const { created, duration_ms } = await firstSync(service);
      await service.stop();
      if (created !== FILES) throw new Error(`${created} entities were made of ${FILES} files`);
      return (FILES * 1000) / duration_ms;
    },
    async floor() {
      const floor = startChild([FLOOR, content.folder, join(freshFolder('floor'), 'rows.db')]);
      return (FILES * 1000) / Number(await floor.done());
    },
  });
  return [ratioResult(`full import of ${FILES} files`, 'files/s', pair, { atLeast: 0.8 })];
}
