import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryFiles } from '../../../test/support/memory-files.ts';
import { type FileStat, FilesError, type SkippedEntry } from '../../platform/files/files.ts';
import { copyRound, requireCopies } from './copy-round.ts';
import type { CopiedFile, StoredContent } from './stored-content.ts';

const NOTE = 'Characters/mira/CH_mira.md';
const OTHER = 'Characters/tobin/CH_tobin.md';

function place(skipped: SkippedEntry[] = []) {
  const { files, scanner } = createMemoryFiles();
  const content: StoredContent = {
    files,
    establish: async () => {},
    discard: (path) => files.remove(path),
    walk: async () => {
      const found = [...scanner.scan()];
      const isSeen = ({ path }: FileStat) => !skipped.some((each) => path.startsWith(`${each.path}/`));
      return { files: found.flatMap((batch) => batch.files).filter(isSeen), skipped };
    },
  };
  return { files, content };
}

function roundOf(from: StoredContent, to: StoredContent, expected: string[]) {
  const copied = new Map<string, CopiedFile>();
  return {
    ...{ from, to, copied, expected },
    asideFolder: '_RecycleBin/_storage/a_move',
    noteBegun: async () => {},
    noteCopied: async () => {},
    noteGone: async () => {},
    checkpoint: async () => {},
  };
}

test('what is gone or another at the new place before the end is copied once more', async () => {
  const [from, to] = [place(), place()];
  for (const path of [NOTE, OTHER]) await from.files.write(path, Buffer.from(`of ${path}`));
  const options = roundOf(from.content, to.content, [NOTE, OTHER]);
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

test('a folder that cannot be listed is told, what was copied of it stays, and all else is copied', async () => {
  const skipped: SkippedEntry[] = [];
  const [from, to] = [place(skipped), place()];
  for (const path of [NOTE, OTHER]) await from.files.write(path, Buffer.from(`of ${path}`));
  const options = roundOf(from.content, to.content, [NOTE, OTHER]);
  await copyRound(options);
  skipped.push({ path: 'Characters/mira', reason: 'unreadable' });
  await from.files.write(OTHER, Buffer.from('another text'));
  const { leftOut } = await copyRound(options);
  assert.match(leftOut.reasons.join(), /^"Characters\/mira" cannot be listed/);
  assert.equal(Buffer.from(await to.files.read(NOTE)).toString(), `of ${NOTE}`);
  assert.equal(Buffer.from(await to.files.read(OTHER)).toString(), 'another text');
});

test('an earlier copy of a file that the old place gives no more stays', async (t) => {
  const [from, to] = [place(), place()];
  await from.files.write(NOTE, 'the text');
  const options = roundOf(from.content, to.content, [NOTE]);
  await copyRound(options);
  await from.files.write(NOTE, 'the next text');
  t.mock.method(from.files, 'open', async () => {
    throw new FilesError('io', NOTE, `"${NOTE}" lies on a damaged place of the disk`);
  });
  const { leftOut } = await copyRound(options);
  assert.match(leftOut.reasons.join(), /damaged/);
  assert.equal(Buffer.from(await to.files.read(NOTE)).toString(), 'the text');
});
