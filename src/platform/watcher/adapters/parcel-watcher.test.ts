import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
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

/** Simulates system events; names of the watcher's own files begin with `own`. */
function told(t: TestContext) {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'canonry-watch-')));
  const open: Parameters<Subscribe>[1][] = [];
  const watcher = createParcelWatcher({
    root,
    isOwn: (path) => path.startsWith('own'),
    subscribe: async (_, callback) => {
      open.push(callback);
      return { unsubscribe: async () => {} };
    },
  });
  t.after(async () => {
    await watcher.stop();
    fs.rmSync(root, { recursive: true });
  });
  const tell = (name: string) =>
    open.at(-1)?.(
      null,
      Array.from({ length: 1_000 }, (_, at) => ({ path: `${root}/${name}${at}`, type: 'update' })),
    );
  return { watcher, open, tell };
}

it('asks for a sweep and watches anew once it is calm after more changes than the system may have kept', async (t) => {
  const { watcher, open, tell } = told(t);
  const { promise: lost, resolve } = Promise.withResolvers<string>();
  await watcher.start(() => {}, resolve);
  for (let storms = 0; storms < 4; storms += 1) {
    tell('f');
    await delay(700);
  }
  assert.equal(open.length, 1, 'not in the middle of it');
  assert.match(await lost, /missed/);
  assert.equal(open.length, 2);
  assert.deepEqual([watcher.status().running, watcher.status().losses], [true, 1]);
});

it('expects no loss among as many files of its own', async (t) => {
  const { watcher, tell } = told(t);
  await watcher.start(
    () => {},
    () => {},
  );
  tell('own');
  await delay(2_500);
  assert.equal(watcher.status().losses, 0);
});
