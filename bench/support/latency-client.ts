import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Sends GET requests at a steady pace, without waiting for earlier replies, and prints the milliseconds each took. */
export interface Pace {
  port: number;
  token: string;
  paths: string[];
  perSecond: number;
  seconds: number;
}

const { port, token, paths, perSecond, seconds } = JSON.parse(
  readFileSync(process.argv[2] ?? '', 'utf8'),
) as Pace;
const agent = new Agent({ keepAlive: true });
const headers = { authorization: `Bearer ${token}` };

function milliseconds(path: string): Promise<number> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path, headers, agent }, (reply) => {
      if (reply.statusCode !== 200) reject(new Error(`GET ${path} answered ${reply.statusCode}`));
      reply.resume().once('end', () => resolve(performance.now() - started));
    });
    request.once('error', reject);
  });
}

const begun = performance.now();
const times: Promise<number>[] = [];
for (let index = 0; index < perSecond * seconds; index += 1) {
  const early = begun + (index * 1000) / perSecond - performance.now();
  if (early > 0) await sleep(early);
  times.push(milliseconds(paths[index % paths.length] ?? ''));
}
console.log(JSON.stringify(await Promise.all(times)));
agent.destroy();
