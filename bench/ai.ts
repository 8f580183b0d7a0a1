import type { Result } from './support/report.ts';

const PARTS: Readonly<Record<string, () => Promise<{ run(): Promise<Result[]> }>>> = {
  context: () => import('./ai/context.ts'),
  reading: () => import('./ai/reading.ts'),
  streams: () => import('./ai/streams.ts'),
};

/** Contexts and streams of AI: all parts, or those that are named. */
export async function run(names: readonly string[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const [name, load] of Object.entries(PARTS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const { run: measure } = await load();
    results.push(...(await measure()));
  }
  return results;
}
