import { spawn } from 'node:child_process';
import { once } from 'node:events';

/*
 * For tests of how long others wait meanwhile. What imports this runs last and by itself: beside other tests it would mostly
 * measure those (`scripts/lib/test-batches.mjs`).
 */

/** The least that can answer: what this one needs too is due to the machine, not to the service. */
const FLOOR = `require('node:http').createServer((_, reply) => reply.end('there')).listen(0, '127.0.0.1', function () {
  console.log('http://127.0.0.1:' + this.address().port);
});`;

export interface Floor {
  url: string;
  end(): void;
}

export async function startFloor(): Promise<Floor> {
  const child = spawn(process.execPath, ['-e', FLOOR], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: String(line).trim(), end: () => void child.kill('SIGKILL') };
}
