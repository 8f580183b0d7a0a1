import { bootstrap } from './bootstrap.mjs';

await bootstrap(import.meta.url);
const { runBuilt } = await import('./lib/bundle.mjs');
await runBuilt(['serve', '--provision', ...process.argv.slice(2)]);
