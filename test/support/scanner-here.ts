import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { openScanner } from '../../src/surfaces/scanner.ts';
import { createScanHost } from '../../src/world/scan/scan-host.ts';
import type { ScannerThread } from '../../src/world/scan/scanner-client.ts';

/**
 * Without a thread, which would load its sources for each core: a third of what starting one costs. Messages are copied as
 * between threads. Processes of the service use the thread.
 */
export function scannerHere(open = openScanner): ScannerThread {
  const { port1: ours, port2: theirs } = new MessageChannel();
  const host = createScanHost({
    open,
    post: (message) => theirs.postMessage(message),
    now: Date.now,
  });
  theirs.on('message', host.receive).unref();
  return {
    postMessage: (message) => ours.postMessage(message),
    on: (event, listener) => ours.on(event === 'exit' ? 'close' : event, listener),
    ref: () => ours.ref(),
    unref: () => ours.unref(),
    async terminate() {
      const closed = once(ours, 'close');
      ours.close();
      await closed;
    },
  };
}
