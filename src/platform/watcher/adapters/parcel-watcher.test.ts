import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { watcherConformance } from '../watcher.conformance.ts';
import type { Subscribe } from './parcel-watch.ts';
import { createParcelWatcher } from './parcel-watcher.ts';

watcherConformance('parcel', (root) => createParcelWatcher({ root }));

it('says what to do when the system watches too many folders already', async () => {
  const reasons: string[] = [];
  const watcher = createParcelWatcher({
    root: os.tmpdir(),
    subscribe: () => Promise.reject(new Error('inotify_add_watch failed: No space left on device')),
  });
  await watcher.start(
    () => {},
    (reason) => reasons.push(reason),
  );
  assert.match(reasons.join(), /max_user_watches/);
  assert.equal(watcher.status().running, false);
});

it('asks for a sweep and watches anew after more changes at once than the system may have kept', async (t) => {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'canonry-watch-')));
  t.after(() => fs.rmSync(root, { recursive: true }));
  const open: Parameters<Subscribe>[1][] = [];
  const watcher = createParcelWatcher({
    root,
    subscribe: async (_, callback) => {
      open.push(callback);
      return { unsubscribe: async () => {} };
    },
  });
  t.after(() => watcher.stop());
  const lost = new Promise<string>((resolve) => {
    void watcher
      .start(() => {}, resolve)
      .then(() => {
        const events = Array.from({ length: 1_000 }, (_, at) => ({
          path: `${root}/f${at}`,
          type: 'update' as const,
        }));
        open[0]?.(null, events);
      });
  });
  assert.match(await lost, /missed/);
  assert.equal(open.length, 2);
  assert.deepEqual([watcher.status().running, watcher.status().losses], [true, 1]);
});
