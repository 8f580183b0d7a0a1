import { bootstrap } from './bootstrap.mjs';

await bootstrap(import.meta.url);
const { runStages } = await import('./lib/stages.mjs');
process.exitCode = (await runStages()) ? 0 : 1;
