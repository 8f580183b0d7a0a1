import { parentPort, workerData } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';

const port = parentPort;
if (port === null) throw new Error('checkpoints are made in a worker thread');

const handle = new Sqlite(String(workerData), { fileMustExist: true });
handle.pragma('synchronous = FULL');
// Pages go from the log to the file without passing the cache.
handle.pragma('cache_size = 0');

/** Pages that could not be moved, on a full disk for instance, stay in the log for the next attempt. */
function checkpoint(): void {
  try {
    handle.pragma('wal_checkpoint(PASSIVE)');
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError)) throw error;
  }
}

port.on('message', (message: 'checkpoint' | 'end') => {
  if (message === 'checkpoint') {
    checkpoint();
    port.postMessage('done');
  } else {
    handle.close();
    port.close();
  }
});
