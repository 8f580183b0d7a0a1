import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ArchiveError, type ArchiveLimits, unpack } from '../../src/platform/archives/archives.ts';

export const ROOMY: ArchiveLimits = { packedBytes: 2 ** 22, unpackedBytes: 2 ** 23, entries: 1000 };

/** A message names the entry, the fault, and what to do. */
const SAYS_WHAT_TO_DO = /^The archive (?:has an entry ".*"|(?!has an entry ")) ?\w[\w ]{8,}.*: [a-z]+ \w+/;

/** The files of an archive by their paths, a letter for each byte. */
export const unpacked = (
  archive: Uint8Array,
  limits?: Partial<ArchiveLimits>,
): Promise<Record<string, string>> =>
  inFolder(archive, async (path, into) => {
    const files = await unpack(path, into, { ...ROOMY, ...limits });
    const found: [string, string][] = [];
    for (const { path, size, file } of files) {
      const bytes = await readFile(file);
      assert.equal(bytes.length, size);
      found.push([path, bytes.toString('latin1')]);
    }
    assert.deepEqual((await readdir(into)).sort(), files.map((_, index) => String(index)).sort());
    return Object.fromEntries(found);
  });

/** Expects an archive to be refused without a trace. */
export const refusal = (archive: Uint8Array, limits?: Partial<ArchiveLimits>): Promise<ArchiveError> =>
  inFolder(archive, async (path, into, around) => {
    const taken = await unpack(path, into, { ...ROOMY, ...limits }).catch((error: unknown) => error);
    assert.ok(taken instanceof ArchiveError, `it was not refused: ${JSON.stringify(taken)} ${taken}`);
    assert.match(taken.message, SAYS_WHAT_TO_DO);
    assert.deepEqual(await readdir(into), []);
    assert.deepEqual((await readdir(around)).sort(), ['archive', 'into']);
    return taken;
  });

async function inFolder<T>(
  archive: Uint8Array,
  use: (path: string, into: string, around: string) => Promise<T>,
): Promise<T> {
  const around = await mkdtemp(join(tmpdir(), 'canonry-unpacking-'));
  try {
    const [path, into] = [join(around, 'archive'), join(around, 'into')];
    await writeFile(path, archive);
    await mkdir(into);
    return await use(path, into, around);
  } finally {
    await rm(around, { recursive: true });
  }
}
