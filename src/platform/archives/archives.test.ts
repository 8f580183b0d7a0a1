import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, createGunzip, gzipSync } from 'node:zlib';
import fc from '../../../test/support/properties.ts';
import { longName, tarGzOf, tarOf } from '../../../test/support/tar.ts';
import { ROOMY, refusal, unpacked } from '../../../test/support/unpacking.ts';
import { descriptorOf, unzipped, zipOf } from '../../../test/support/zip.ts';
import { unpack, withoutPrefix } from './archives.ts';

interface Content {
  name: string;
  content?: string | Uint8Array;
}

const FORMATS = [
  { format: 'zip', pack: (files: readonly Content[]) => zipOf(files) },
  {
    format: 'tar.gz',
    pack: (files: readonly Content[]) => tarGzOf(files.flatMap((file) => [longName(file.name), file])),
  },
];
const SAMPLES = fileURLToPath(new URL('../../../test/support/archives', import.meta.url));
const DEEP = `${'a-long-folder-name-'.repeat(6)}/${'a-long-folder-name-'.repeat(6)}/deep.txt`;

const sample = (name: string): Promise<Buffer> => readFile(join(SAMPLES, name));

/** Each is of the program that it is named after, and holds the same plugin. */
describe('an archive as programs make it', async () => {
  for (const name of await readdir(SAMPLES))
    test(`${name} gives its files`, async () => {
      const files = withoutPrefix(
        Object.entries(await unpacked(await sample(name))).map(([path, text]) => ({ path, text })),
        'plugin.json',
      );
      const found = Object.fromEntries(
        files.map(({ path, text }) => [path, Buffer.from(text, 'latin1').toString()]),
      );
      // The oldest formats have no room for the long path, which was left out of them.
      const hasLongNames = !/ustar|v7/.test(name);
      assert.deepEqual(found, {
        'plugin.json': '{"id":"demo"}\n',
        'panel/Größe.html': '<p>Grüße</p>\n',
        'panel/nothing.css': '',
        'panel/app.js': 'x'.repeat(3000),
        'panel/it is.txt': 'odd \n',
        ...(hasLongNames && { [DEEP]: 'deep\n' }),
      });
    });
});

for (const { format, pack } of FORMATS)
  describe(`a ${format}`, () => {
    const good = { name: 'good.txt', content: 'good' };
    const many = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `a/${index}` }));

    test('that is too large itself is refused', async () => {
      const archive = pack([good]);
      assert.equal((await refusal(archive, { packedBytes: archive.length - 1 })).code, 'too_large');
      await unpacked(archive, { packedBytes: archive.length });
    });

    test('may unpack to as many bytes as the limit, in one file or in all', async () => {
      const zeros = { name: 'zeros', content: Buffer.alloc(1_000_000) };
      const halves = ['a', 'b'].map((name) => ({ name, content: Buffer.alloc(500_000) }));
      for (const files of [[zeros], halves]) {
        await unpacked(pack(files), { unpackedBytes: 1_000_000 });
        const { code, entry, message } = await refusal(pack([...files, { name: 'c', content: 'x' }]), {
          unpackedBytes: 1_000_000,
        });
        assert.deepEqual([code, entry], ['too_large', null]);
        assert.match(message, /more than 1000000 bytes/);
      }
    });

    test('that unpacks to far more than it has is stopped at the limit', async () => {
      const bomb = pack([good, { name: 'bomb', content: Buffer.alloc(50_000_000) }]);
      assert.ok(bomb.length < 100_000);
      assert.equal((await refusal(bomb)).code, 'too_large');
    });

    test('counts bytes that are left out', async () => {
      const hidden = pack([good, { name: '.git/pack', content: Buffer.alloc(1_000_000) }]);
      assert.equal((await refusal(hidden, { unpackedBytes: 999_999 })).code, 'too_large');
    });

    test('may have as many entries as the limit, with the folders above them', async () => {
      await unpacked(pack(many(9)), { entries: 10 });
      assert.equal((await refusal(pack(many(10)), { entries: 10 })).code, 'too_many_entries');
      assert.equal((await refusal(pack([{ name: 'a/b/c/d/e' }]), { entries: 4 })).code, 'too_many_entries');
      assert.equal(
        (await refusal(pack([good, { name: '.git/x' }]), { entries: 2 })).code,
        'too_many_entries',
      );
    });

    test('in another stays packed', async () => {
      const inner = FORMATS.map((one) => ({
        name: `a.${one.format}`,
        content: one.pack([{ name: '../evil' }]),
      }));
      assert.deepEqual(
        await unpacked(pack(inner)),
        Object.fromEntries(inner.map(({ name, content }) => [name, content.toString('latin1')])),
      );
    });

    test('is refused wherever it is cut off', async () => {
      const archive = pack([good, { name: 'b/c', content: 'x'.repeat(100) }]);
      for (let length = 0; length < archive.length; length += 1) {
        const { code } = await refusal(archive.subarray(0, length));
        assert.equal(code, length < (format === 'zip' ? 4 : 2) ? 'not_an_archive' : 'damaged', `${length}`);
      }
    });

    test('with any bit changed is refused, or gives files with the same bytes', async () => {
      const archive = pack([good, { name: 'b/c', content: 'x'.repeat(100) }]);
      const whole = new Set(Object.values(await unpacked(archive)));
      let refused = 0;
      for (let bit = 0; bit < archive.length * 8; bit += 11) {
        const changed = Buffer.from(archive);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const found = await unpacked(changed).catch(() => null);
        if (found === null) refused += 1;
        else for (const bytes of Object.values(found)) assert.ok(whole.has(bytes), `bit ${bit}`);
      }
      assert.ok(refused > archive.length / 3, `${refused}`);
    });

    test('gives back any tree of files', async () => {
      await fc.assert(
        fc.asyncProperty(trees, async (files) => {
          const expected = Object.fromEntries(
            files.map(({ name, content }) => [name, content.toString('latin1')]),
          );
          assert.deepEqual(await unpacked(pack(files)), expected);
        }),
        { numRuns: 60 },
      );
    });
  });

/** Names that no disk takes for one: numbered, in folders that are no files. */
const trees = fc
  .array(
    fc.record({
      folders: fc.array(fc.stringMatching(/^[a-z0-9äé日_-]{1,12}$/u), { maxLength: 4 }),
      base: fc.stringMatching(/^[a-zA-Z0-9 ßø語.()-]{0,40}$/u),
      content: fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes)),
    }),
    { maxLength: 12 },
  )
  .map((files) =>
    files.map(({ folders, base, content }, index) => ({
      name: [...folders, `${base}-${index}`].join('/'),
      content,
    })),
  );

test('a zip is read as another reader does', async () => {
  await fc.assert(
    fc.asyncProperty(trees, fc.boolean(), async (files, isStored) => {
      const archive = zipOf(
        files.map((file) => ({
          ...file,
          isStored,
          both: { flags: 0x0808 },
          after: descriptorOf(file.content, isStored ? { packed: file.content.length } : {}),
        })),
      );
      assert.deepEqual(await unpacked(archive), await unzipped(archive));
    }),
    { numRuns: 40 },
  );
});

test('what is no zip and no tar.gz is refused, whatever it is called', async () => {
  const tar = tarOf([{ name: 'a' }]);
  for (const bytes of [
    '',
    'P',
    'PK',
    'PK\x07\x08',
    'BZh91AY',
    '\xfd7zXZ\0',
    '\x28\xb5\x2f\xfd',
    'Rar!\x1a\x07',
    '7z\xbc\xaf',
  ])
    assert.equal((await refusal(Buffer.from(bytes, 'latin1'))).code, 'not_an_archive', bytes);
  for (const bytes of [tar, brotliCompressSync(tar)])
    assert.equal((await refusal(bytes)).code, 'not_an_archive');
  assert.equal((await refusal(gzipSync(zipOf([{ name: 'a' }])))).code, 'damaged');
});

test('a folder with a file of an earlier use is no place to unpack to, and is left as it is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'canonry-unpacking-'));
  try {
    await writeFile(join(folder, '1'), 'mine');
    const archive = join(folder, 'archive.zip');
    await writeFile(archive, zipOf([{ name: 'a' }, { name: 'b' }]));
    await assert.rejects(unpack(archive, folder, ROOMY), { code: 'EEXIST' });
    assert.equal(await readFile(join(folder, '1'), 'utf8'), 'mine');
    assert.deepEqual(await readdir(folder), ['1', 'archive.zip']);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a pipeline that fails waits for its reader, so that a refusal removes what is written last', async () => {
  const packed = Readable.from([gzipSync('good').subarray(0, 20)]);
  const gunzip = createGunzip();
  const closed = new Promise((resolve) => gunzip.on('close', resolve));
  const steps: string[] = [];
  const failing = pipeline(packed, gunzip, async () => {
    await closed;
    await new Promise(setImmediate);
    steps.push('written');
  });
  await assert.rejects(failing, { code: 'Z_BUF_ERROR' });
  assert.deepEqual(steps, ['written']);
});
