import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

/** The least server of a folder's files: stat, head, stream. */
const folder = process.argv[2] ?? '';
const server = createServer((request, response) => {
  const path = join(folder, decodeURIComponent((request.url ?? '').replace(/^\/api\/files\//, '')));
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-length': statSync(path).size,
  });
  createReadStream(path).pipe(response);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
});
process.once('SIGTERM', () => process.exit(0));
