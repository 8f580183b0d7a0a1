import { randomFillSync } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCH_FOLDER, entityIdOf, TEMPLATES, type World } from './world.ts';

const FILES_OF_ONE = 20;
/** From 1 to 63 KB, on average 32 KB. */
const sizeOf = (index: number): number => 1024 * (1 + (index % 63));

/** A content folder with `count` assets of arbitrary bytes, twenty in each entity's folder; it is made once and kept. */
export function assetWorld(count: number): World {
  const folder = join(BENCH_FOLDER, `assets-${count}-1`);
  if (existsSync(folder)) return { folder, count };
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  cpSync(TEMPLATES, join(unfinished, '_Templates'), { recursive: true });
  for (let index = 0; index < count; index += 1) {
    const place = join(unfinished, 'Characters', entityIdOf(Math.floor(index / FILES_OF_ONE)), 'data');
    if (index % FILES_OF_ONE === 0) mkdirSync(place, { recursive: true });
    writeFileSync(
      join(place, `part_${index % FILES_OF_ONE}.bin`),
      randomFillSync(Buffer.alloc(sizeOf(index))),
    );
  }
  renameSync(unfinished, folder);
  return { folder, count };
}
