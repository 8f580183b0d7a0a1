import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startChild } from './support/child.ts';
import { freshFolder } from './support/fresh-folder.ts';
import type { Result } from './support/report.ts';
import { startService } from './support/service.ts';
import { compareServing } from './support/serving.ts';
import { firstSync } from './support/sync.ts';

const KB = 1024;
const SIZES = [40 * KB, 1024 * KB, 4 * 1024 * KB];
const nameOf = (size: number): string => `Assets/file_${size / KB}.wav`;
const FLOOR = join(import.meta.dirname, 'floors', 'file-server.ts');

/** Serves files over HTTP: an image of a page, a photograph, a short sound. */
export async function run(): Promise<Result[]> {
  const folder = freshFolder('content');
  mkdirSync(join(folder, 'Assets'), { recursive: true });
  for (const size of SIZES) writeFileSync(join(folder, nameOf(size)), Buffer.alloc(size, 'bytes '));
  const ours = await startService({ folder, count: 0 });
  await firstSync(ours);
  const child = startChild([FLOOR, folder]);
  const floor = { url: await child.says(/listening on (http:\S+)/), child };
  const served = { ours, floor, stop: async () => {} };
  try {
    const results: Result[] = [];
    for (const size of SIZES) {
      const paths = [`/api/files/${nameOf(size)}`];
      results.push(...(await compareServing(`a file of ${size / KB} KB`, served, { paths, atLeast: 0.6 })));
    }
    return results;
  } finally {
    await Promise.all([ours.stop(), child.stop()]);
  }
}
