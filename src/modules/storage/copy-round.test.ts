import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryFiles } from '../../platform/files/adapters/memory-files.ts';
import { type CopiedFile, copyRound, requireCopies, type StoredContent } from './copy-round.ts';

const NOTE = 'Characters/mira/CH_mira.md';
const OTHER = 'Characters/tobin/CH_tobin.md';

function place() {
  const { files, scanner } = createMemoryFiles();
  const content: StoredContent = {
    files,
    establish: async () => {},
    walk: async () => {
      const found = [...scanner.scan()];
      return { files: found.flatMap((batch) => batch.files), skipped: [] };
    },
  };
  return { files, content };
}

test('what is gone or another at the new place before the end is copied once more', async () => {
  const [from, to] = [place(), place()];
  for (const path of [NOTE, OTHER]) await from.files.write(path, Buffer.from(`of ${path}`));
  const copied = new Map<string, CopiedFile>();
  const options = {
    from: from.content,
    to: to.content,
    copied,
    expected: [NOTE, OTHER],
    asideFolder: '_RecycleBin/_storage/a_move',
    noteCopied: async () => {},
    noteGone: async () => {},
    checkpoint: async () => {},
  };
  await copyRound(options);
  await requireCopies(options);
  await to.files.remove(NOTE);
  await to.files.write(OTHER, Buffer.from('of somebody else'));
  await assert.rejects(requireCopies(options), /changed at the new place/);
  await copyRound(options);
  await requireCopies(options);
  const textOf = async (path: string) => Buffer.from(await to.files.read(path)).toString();
  assert.equal(await textOf(NOTE), `of ${NOTE}`);
  assert.equal(await textOf(OTHER), `of ${OTHER}`);
  assert.equal(await textOf(`_RecycleBin/_storage/a_move/${OTHER}`), 'of somebody else');
});
