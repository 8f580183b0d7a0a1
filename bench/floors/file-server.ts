import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from './serve.ts';

/** A minimal server of a folder's files: stat, head, stream. */
const folder = process.argv[2] ?? '';
serve((request, response) => {
  const path = join(folder, decodeURIComponent((request.url ?? '').replace(/^\/api\/files\//, '')));
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-length': statSync(path).size,
  });
  createReadStream(path).pipe(response);
});
