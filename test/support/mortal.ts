import fs from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** How many entries may still come into their place below a folder before the process dies of it. */
export interface Death {
  after: number;
  below: string;
}

/**
 * To be loaded before a service: a message of its parent has it killed in the middle of its writing, at the very entry
 * that the message says, however quick the machine is.
 */
if (isMainThread) {
  let death: Death = { after: Number.POSITIVE_INFINITY, below: '' };
  const counted =
    (place: (from: fs.PathLike, to: fs.PathLike) => void) => (from: fs.PathLike, to: fs.PathLike) => {
      place(from, to);
      if (!String(to).startsWith(death.below)) return;
      death.after -= 1;
      if (death.after <= 0) process.kill(process.pid, 'SIGKILL');
    };
  fs.renameSync = counted(fs.renameSync);
  fs.linkSync = counted(fs.linkSync);
  process.on('message', (message: Death) => {
    death = message;
    process.send?.('mortal');
  });
}
