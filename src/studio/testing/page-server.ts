import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pageHeaders } from '../../service/studio/page-headers.ts';
import type { PageFiles } from './bundle.ts';

/** React Aria adds a `<style>` of its own unless an element with this id exists. */
const PRESSABLE_STYLE = '[data-react-aria-pressable]{touch-action:pan-x pan-y pinch-zoom}';

const pageOf = (files: PageFiles): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Harness</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" id="react-aria-pressable-style" href="/pressable.css">
${files.has('entry.css') ? '<link rel="stylesheet" href="/entry.css">' : ''}
</head>
<body>
<main id="root"></main>
<script src="/globals.js"></script>
<script type="module" src="/entry.js"></script>
</body>
</html>`;

export interface PageServer {
  url: string;
  /** Properties that `window` has in pages that load from now on. */
  give(globals: Record<string, unknown>): void;
  close: () => Promise<void>;
}

/** Serves a page on a free port of this machine, with the headers that the web app has. */
export async function servePage(files: PageFiles): Promise<PageServer> {
  const texts = new Map([
    ...[...files].map(([name, text]) => [`/${name}`, text] as const),
    ['/', pageOf(files)],
    ['/pressable.css', PRESSABLE_STYLE],
  ]);
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://harness').pathname;
    const text = texts.get(path);
    response.writeHead(text === undefined ? 404 : 200, {
      'content-type': `${typeOf(path)}; charset=utf-8`,
      ...pageHeaders('http://*.localhost:* http://127.0.0.1:*'),
      'x-content-type-options': 'nosniff',
    });
    response.end(text);
  });
  return {
    url: await listen(server),
    give(globals) {
      texts.set('/globals.js', `Object.assign(window, ${JSON.stringify(globals)});`);
    },
    async close() {
      server.close().closeAllConnections();
    },
  };
}

function typeOf(path: string): string {
  if (path.endsWith('.js')) return 'text/javascript';
  return path.endsWith('.css') ? 'text/css' : 'text/html';
}

async function listen(server: Server): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}
