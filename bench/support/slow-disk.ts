import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BENCH_FOLDER } from '../world.ts';
import { startChild } from './child.ts';
import type { Result } from './report.ts';

const SOURCE = join(import.meta.dirname, 'slow-sync.c');
const RUNNER = join(import.meta.dirname, 'print-results.ts');

/** Runs a benchmark, floor and service alike, with every sync of the disk slowed down. Needs a C compiler. */
export async function onSlowDisk(benchmark: string, syncMs: number): Promise<Result[]> {
  const library = join(BENCH_FOLDER, 'slow-sync.so');
  mkdirSync(BENCH_FOLDER, { recursive: true });
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, SOURCE, '-ldl']);
  const child = startChild([RUNNER, benchmark], { LD_PRELOAD: library, SLOW_SYNC_MS: String(syncMs) });
  const results = JSON.parse(await child.done()) as Result[];
  return results.map((result) => ({ ...result, what: `${result.what}; a sync takes ${syncMs} ms more` }));
}
