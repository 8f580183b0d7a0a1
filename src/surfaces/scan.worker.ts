import { parentPort } from 'node:worker_threads';
import { createScanHost } from '../modules/mirror/scan/scan-host.ts';
import { createLocalScanner } from '../platform/files/adapters/local-scanner.ts';

const port = parentPort;
if (port === null) throw new Error('the scanner runs as a worker thread');

const host = createScanHost({
  open(files) {
    if (files.kind === 'local') return createLocalScanner(files);
    throw new Error(`files of the kind '${files.kind}' cannot be read from another thread`);
  },
  post: (message) => port.postMessage(message),
  now: Date.now,
});
port.on('message', host.receive);
