import { bootstrap } from './bootstrap.mjs';

await bootstrap(import.meta.url);
const { createServer } = await import('vite');
const { inRoot } = await import('./lib/paths.mjs');
const { studioConfig } = await import('../src/studio/build/vite-config.ts');

/** While the web app is being developed: it reloads as files change, and asks a running service for everything else. */
const service = process.argv[2] ?? 'http://127.0.0.1:8000';
const server = await createServer({
  ...studioConfig(inRoot('dist/studio')),
  logLevel: 'info',
  server: { host: '127.0.0.1', proxy: { '/api': { target: service, ws: true } } },
});
await server.listen();
server.printUrls();
