import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { FilesError } from '../files.ts';
import { createDraftThread } from './draft-thread.ts';

test('whoever asks while an idle thread ends has another one', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'canonry-drafts-'));
  t.after(() => fs.rmSync(root, { recursive: true }));
  const ask = createDraftThread();
  const drafted = async (name: string) => {
    const [draft] = (await ask(root, [{ path: `${name}/new.md`, content: 'new', newFolder: true }])) ?? [];
    if (draft === undefined || draft instanceof FilesError) throw draft ?? new Error('no thread');
    fs.closeSync(draft.fd);
    return draft.path;
  };
  assert.equal(await drafted('first'), 'first/new.md');
  t.mock.timers.tick(60_000);
  assert.equal(await drafted('second'), 'second/new.md');
  t.mock.timers.tick(60_000);
});
