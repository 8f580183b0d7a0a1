import { parentPort } from 'node:worker_threads';
import { createScanHost } from '../world/scan/index.ts';
import { openScanner } from './scanner.ts';

const port = parentPort;
if (port === null) throw new Error('the scanner runs as a worker thread');

const host = createScanHost({
  open: openScanner,
  post: (message) => port.postMessage(message),
  now: Date.now,
});
port.on('message', host.receive);
