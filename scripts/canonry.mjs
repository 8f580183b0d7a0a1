import { bootstrap } from './bootstrap.mjs';

await bootstrap(import.meta.url);
// npm changes into the root of the checkout; paths that the user typed are relative to their own folder.
if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
const { runBuilt } = await import('./lib/bundle.mjs');
await runBuilt(process.argv.slice(2));
