import { parentPort } from 'node:worker_threads';
import { systemCalls } from '../syscalls.ts';
import type { Drafted, DraftOrder } from './draft-thread.ts';
import { filesError } from './local-errors.ts';
import { createLocalRoot, type LocalRoot } from './local-root.ts';
import { draftOf } from './local-write.ts';

const port = parentPort;
if (port === null) throw new Error('drafts are made in a worker thread');

const roots = new Map<string, LocalRoot>();

function rootAt(path: string): LocalRoot {
  const root = roots.get(path) ?? createLocalRoot(path, systemCalls);
  roots.set(path, root);
  return root;
}

port.on('message', async ({ id, root, files }: DraftOrder) => {
  const parts = { root: rootAt(root), syscalls: systemCalls, durability: { noteMade: () => {} } };
  const drafted: Drafted[] = [];
  for (const file of files) {
    try {
      const { temporary, target, fd } = await draftOf(parts, file);
      drafted.push({ temporary, target, fd });
    } catch (error) {
      const { code, message } = filesError(error, 'write', file.path);
      drafted.push({ code, message });
    }
  }
  port.postMessage({ id, drafted });
});
