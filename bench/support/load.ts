import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCH_FOLDER } from '../world.ts';
import { startChild } from './child.ts';
import type { Pace } from './latency-client.ts';
import type { Load } from './load-client.ts';

export function requestText(method: string, path: string, token: string, body?: unknown): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', `authorization: Bearer ${token}`];
  if (text !== '') lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(text)}`);
  return `${lines.join('\r\n')}\r\n\r\n${text}`;
}

async function runClient<Answer>(name: string, url: string, orders: object): Promise<Answer> {
  const path = join(BENCH_FOLDER, `${name}.json`);
  writeFileSync(path, JSON.stringify({ ...orders, port: Number(new URL(url).port) }));
  const client = startChild([join(import.meta.dirname, `${name}.ts`), path]);
  return JSON.parse(await client.done()) as Answer;
}

/** Requests per second that a server answers. Throws if it refuses any. */
export async function requestsPerSecond(url: string, load: Omit<Load, 'port'>): Promise<number> {
  const { perSecond, refused } = await runClient<{ perSecond: number; refused: number }>(
    'load-client',
    url,
    load,
  );
  if (refused > 0) throw new Error(`${url} refused ${refused} requests`);
  return perSecond;
}

/** The milliseconds within which a share of the requests (0 to 1) is answered. Throws if one is refused. */
export async function percentileOf(url: string, share: number, pace: Omit<Pace, 'port'>): Promise<number> {
  const times = await runClient<number[]>('latency-client', url, pace);
  return times.sort((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;
}

/** The milliseconds within which 99 of 100 requests are answered. Throws if one is refused. */
export const ninetyNinthOf = (url: string, pace: Omit<Pace, 'port'>): Promise<number> =>
  percentileOf(url, 0.99, pace);
