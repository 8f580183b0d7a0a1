/*
 * Prints the small faults in the sources that no test notices: `npm run mutate -- src/content/merge [most]`. Stryker's
 * runner for `node:test` starts each test file anew for each fault and needs more than five minutes for merge alone; here
 * the tests stay loaded.
 */
import { bootstrap } from './bootstrap.mjs';

await bootstrap(import.meta.url);
const { mutate } = await import('./lib/mutate.mjs');
const [path = 'src/content', most] = process.argv.slice(2);
await mutate(path, most === undefined ? Number.POSITIVE_INFINITY : Number(most));
