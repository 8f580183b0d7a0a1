import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { systemCalls } from '../syscalls.ts';
import { createDurability } from './durability.ts';
import { createLocalRoot } from './local-root.ts';
import { draftOf } from './local-write.ts';
import { writeManyAtomically } from './local-write-many.ts';

/** A folder whose syncs the test can observe; `isWhole` says whether its file system can be synced as a whole. */
function watched(t: TestContext) {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'canonry-durable-'));
  t.after(() => fs.rmSync(place, { recursive: true }));
  const state = { isWhole: false, synced: [] as string[] };
  const syscalls: typeof systemCalls = {
    ...systemCalls,
    syncFileSystem: async () => {
      if (!state.isWhole) throw new Error('no such call');
    },
    openSync: (file, flags, mode) => {
      if (mode === undefined) state.synced.push(path.relative(place, file));
      return systemCalls.openSync(file, flags, mode);
    },
  };
  const root = createLocalRoot(place, syscalls);
  return { state, place, parts: { root, syscalls, durability: createDurability(root, syscalls) } };
}

describe('the folder that holds a new one is synced before anything in that is acknowledged', () => {
  it('also where many writes failed in between', async (t) => {
    const { state, parts } = watched(t);
    const { root, durability } = parts;
    root.newFolder('a', durability.noteMade);
    await durability.syncFolders([]);
    await durability.syncFolder('a');
    assert.deepEqual(state.synced, ['a', '']);
  });

  it('also where all that was there was synced just before a thread made it', async (t) => {
    const { state, place, parts } = watched(t);
    const others = Array.from({ length: 16 }, (_, at) => `other ${at}`);
    for (const folder of others) fs.mkdirSync(`${place}/${folder}`);
    const files = others.map((_, at) => ({ path: `${at}/new.md`, content: 'new', newFolder: true }));
    const results = await writeManyAtomically(
      {
        ...parts,
        draftThread: async () => {
          state.isWhole = true;
          await parts.durability.syncFolders(others);
          state.isWhole = false;
          const thread = { ...parts, durability: { noteMade: () => {} } };
          return Promise.all(files.map((file) => draftOf(thread, file)));
        },
      },
      files,
    );
    assert.ok(results.every(({ status }) => status === 'fulfilled'));
    assert.ok(state.synced.includes(''), 'the entries of the new folders are on the disk');
  });
});
