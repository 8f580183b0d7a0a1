import { createServer, type RequestListener } from 'node:http';

/** Serves on a free port, which it prints, until it is terminated. */
export function serve(listener: RequestListener): void {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    console.log(`listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  });
  process.once('SIGTERM', () => process.exit(0));
}
