import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { WebSocket } from 'ws';

/** Instructions for a crowd of listeners. */
export interface Crowd {
  port: number;
  paths: string[];
  sockets: number;
  /** Number of events that each socket waits for. */
  events: number;
}

// Opens the sockets and reports that; once each has received all events, prints the 99th percentile of the
// milliseconds from an event's time to its arrival.
const crowd = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Crowd;
const latencies: number[] = [];
const { promise: all, resolve } = Promise.withResolvers<void>();

function hear(text: string): void {
  const event = JSON.parse(text) as { type: string; timestamp: string };
  if (event.type !== 'entity_updated') return;
  latencies.push(Date.now() - Date.parse(event.timestamp));
  if (latencies.length === crowd.sockets * crowd.events) resolve();
}

for (let opened = 0; opened < crowd.sockets; opened += 1) {
  const path = crowd.paths[opened % crowd.paths.length] ?? '';
  const peer = new WebSocket(`ws://127.0.0.1:${crowd.port}${path}`);
  peer.on('message', (data) => hear(String(data)));
  peer.on('close', (code, reason) => {
    throw new Error(`a socket was closed: ${code} ${reason}`);
  });
  await once(peer, 'open');
}
console.log('all are open');
await all;
latencies.sort((a, b) => a - b);
console.log(`p99 ${latencies[Math.floor(latencies.length * 0.99)]}`);
process.exit(0);
