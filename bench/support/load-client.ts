import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

/**
 * Sends requests over keep-alive connections for a while and prints the number of replies. It reads replies only as far
 * as their length, so that it stays cheaper than the server it measures.
 */
export interface Load {
  port: number;
  connections: number;
  seconds: number;
  /** Whole requests as text; each connection cycles through them from its own offset. */
  requests: string[];
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = /\r\ncontent-length: (\d+)/i;

const load = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Load;
const requests = load.requests.map((text) => Buffer.from(text));
let answered = 0;
let refused = 0;
let running = true;

function openConnection(index: number): Promise<void> {
  let next = Math.floor((index * requests.length) / load.connections);
  let missing = 0;
  return new Promise((resolve, reject) => {
    const buffer = Buffer.allocUnsafeSlow(256 * 1024);
    const socket = connect({
      port: load.port,
      host: '127.0.0.1',
      onread: {
        buffer,
        callback: (size) => {
          receive(buffer.subarray(0, size));
          return true;
        },
      },
    });
    const send = () => {
      socket.write(requests[next % requests.length] ?? '');
      next += 1;
    };
    const receive = (chunk: Buffer) => {
      if (missing === 0) {
        const end = chunk.indexOf(HEAD_END);
        const head = chunk.toString('latin1', 0, end);
        const length = LENGTH.exec(head)?.[1];
        if (end < 0 || length === undefined) throw new Error(`not a whole head of a reply: ${head}`);
        if (head[9] !== '2') refused += 1;
        missing = end + HEAD_END.length + Number(length);
      }
      missing -= chunk.length;
      if (missing > 0) return;
      if (running) answered += 1;
      if (running) send();
      else socket.destroy();
    };
    socket.setNoDelay(true);
    socket.once('connect', send);
    socket.once('error', reject);
    socket.once('close', () => resolve());
  });
}

const connections = Array.from({ length: load.connections }, (_, index) => openConnection(index));
const started = performance.now();
let seconds = 0;
setTimeout(() => {
  running = false;
  seconds = (performance.now() - started) / 1000;
}, load.seconds * 1000);
await Promise.all(connections);
console.log(JSON.stringify({ perSecond: answered / seconds, refused }));
