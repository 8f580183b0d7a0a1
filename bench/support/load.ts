import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCH_FOLDER } from '../world.ts';
import { startChild } from './child.ts';
import type { Load } from './load-client.ts';

/** A whole HTTP request as text. */
export function requestText(method: string, path: string, token: string, body?: unknown): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', `authorization: Bearer ${token}`];
  if (text !== '') lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(text)}`);
  return `${lines.join('\r\n')}\r\n\r\n${text}`;
}

/** Requests per second that a server answers. Throws when it refuses any. */
export async function requestsPerSecond(url: string, load: Omit<Load, 'port'>): Promise<number> {
  const orders = join(BENCH_FOLDER, 'load.json');
  writeFileSync(orders, JSON.stringify({ ...load, port: Number(new URL(url).port) }));
  const client = startChild([join(import.meta.dirname, 'load-client.ts'), orders]);
  const { perSecond, refused } = JSON.parse(await client.done()) as { perSecond: number; refused: number };
  if (refused > 0) throw new Error(`${url} refused ${refused} requests`);
  return perSecond;
}
