import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryFiles } from '../../../../test/support/memory-files.ts';
import { conflict, HttpError } from '../../../kit/errors.ts';
import { readDefinitions } from '../registry/definition-kind.ts';
import { type FileChange, saveFile } from './save-file.ts';
import { type FileKind, readPresent } from './text-file.ts';

const PATH = '_Notes/one.txt';

const numbers: FileKind<{ value: number; checksum: string }> = {
  name: 'number',
  limit: 8,
  parse: (_path, text, checksum) =>
    /^\d+$/.test(text)
      ? { file: { value: Number(text), checksum } }
      : { problem: { reason: 'no number', line: 1, column: 1 } },
};

const statusOf = (status: number) => (error: unknown) =>
  error instanceof HttpError && error.status === status;

async function world(text?: string) {
  const { files } = createMemoryFiles();
  if (text !== undefined) await files.write(PATH, text);
  const present = await readPresent(files, PATH, numbers);
  const save = (change: Partial<FileChange<{ value: number; checksum: string }>>) =>
    saveFile(
      files,
      numbers,
      { path: PATH, present },
      {
        refuse: () => conflict('broken'),
        next: () => '2',
        ...change,
      },
    );
  const read = async () => Buffer.from(await files.read(PATH)).toString();
  return { files, present, save, read };
}

test('a file is made, changed, and left alone where the text is the same or there is to be none', async () => {
  const empty = await world();
  assert.equal(await empty.save({ next: () => null }), undefined);
  assert.equal((await empty.save({}))?.text, '2');
  assert.equal(await empty.read(), '2');
  const full = await world('1');
  assert.equal(await full.save({ next: (present) => present?.text ?? null }), undefined);
  await full.save({ next: (present) => `${present?.text}0` });
  assert.equal(await full.read(), '10');
});

test('a caller who saw another text is refused, a long text too, and neither writes', async () => {
  const { save, present, read } = await world('1');
  await assert.rejects(save({ ifMatch: '"other"' }), statusOf(412));
  await assert.rejects(save({ next: () => '123456789' }), statusOf(413));
  assert.equal(await read(), '1');
  await save({ ifMatch: `"${present?.checksum}"` });
  assert.equal(await read(), '2');
});

test('what somebody wrote since the reading is not overwritten', async () => {
  const { files, save, read } = await world('1');
  await files.write(PATH, '7');
  await assert.rejects(save({}), { code: 'changed' });
  assert.equal(await read(), '7');
  const absent = await world();
  await absent.files.write(PATH, '7');
  await assert.rejects(absent.save({}), { code: 'exists' });
});

test('a file that cannot be read is replaced only by consent, and kept before', async () => {
  const { save, read } = await world('one');
  await assert.rejects(save({}), statusOf(409));
  const kept: string[] = [];
  const keep = async ({ text }: { text: string }) => void kept.push(text);
  await save({ refuse: () => undefined, keep });
  assert.deepEqual([kept, await read()], [['one'], '2']);
});

test('a kind is a declaration: the registry reads its files, and keeps what was good of those that are broken', async () => {
  const { files } = createMemoryFiles();
  await files.write('_Notes/one.txt', '1');
  await files.write('_Notes/two.txt', 'two');
  await files.write('_Notes/other.text', '3');
  await files.write('_Notes/big.txt', '123456789');
  const kind = {
    ...numbers,
    folders: ['_Notes', '_More'],
    isOne: (path: string) => path.endsWith('.txt'),
    isMisnamed: (name: string) => name.endsWith('.text'),
    naming: 'the name of a number ends in .txt',
    kept: 'the last one stays',
  };
  const known = new Map([['_Notes/two.txt', { value: 2, checksum: 'sha256:0' }]]);
  const read = await readDefinitions(files, kind, known);
  assert.deepEqual(
    [...read.files].map(([path, { value }]) => [path, value]),
    [
      ['_Notes/one.txt', 1],
      ['_Notes/two.txt', 2],
    ],
  );
  assert.deepEqual(
    read.problems.map(({ path, reason, severity }) => `${severity} ${path}: ${reason}`),
    [
      'warning _Notes/other.text: other.text is not read: the name of a number ends in .txt',
      'error _Notes/big.txt: the file is larger than 8 bytes',
      'error _Notes/two.txt: no number; the last one stays',
    ],
  );
});
