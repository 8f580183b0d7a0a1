/*
 * Says which small faults in the sources no test notices: `npm run mutate -- src/content/merge [most]`. It is a command of our
 * own because Stryker's runner for `node:test` starts each test file anew for each fault: merge alone was not through after
 * five minutes. Here the tests stay loaded, and one fault is switched on after the other.
 */
import { bootstrap } from './bootstrap.mjs';

await bootstrap(import.meta.url);
const { mutate } = await import('./lib/mutate.mjs');
const [path = 'src/content', most] = process.argv.slice(2);
await mutate(path, most === undefined ? Number.POSITIVE_INFINITY : Number(most));
