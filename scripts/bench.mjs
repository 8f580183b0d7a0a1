import { bootstrap } from './bootstrap.mjs';

await bootstrap(import.meta.url);
const { buildIfStale } = await import('./lib/bundle.mjs');
await buildIfStale();
await import('../bench/main.ts');
