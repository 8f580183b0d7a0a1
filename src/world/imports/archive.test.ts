import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type ZipMember, zipOf } from '../../../test/support/zip.ts';
import { HttpError } from '../../kit/errors.ts';
import { readArchive } from './archive.ts';

/** bytes */
const LARGEST = 64 * 1024;
const unlimited = { hold: async () => {}, largestText: Number.POSITIVE_INFINITY };

const refusal = (members: ZipMember[]) =>
  readArchive(zipOf(members), unlimited).then(
    () => assert.fail('it was taken in'),
    (error: unknown) => {
      assert.ok(error instanceof HttpError, String(error));
      return error;
    },
  );

describe('an archive', () => {
  test('that refers to a place that no file has is refused, also from a disk', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'canonry-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'wide.zip');
    writeFileSync(path, zipOf([{ name: 'a.md', content: 'A' }], { wide: { at: 2 ** 60 } }));
    await assert.rejects(readArchive(path, unlimited), { status: 422 });
    writeFileSync(path, zipOf([{ name: 'a.md', content: 'A' }]));
    assert.equal((await readArchive(path, unlimited)).files.length, 1);
  });

  test('gives its files, without what programs leave beside them', async () => {
    const { files, refused } = await readArchive(
      zipOf([
        { name: 'People/' },
        { name: 'People/Mira Välé.md', content: 'Hi' },
        { name: '.obsidian/app.json', content: '{}' },
        { name: '__MACOSX/._x', content: 'x' },
        { name: 'b.png', content: Buffer.from([0, 255]) },
      ]),
      unlimited,
    );
    assert.deepEqual(
      files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString('hex')]),
      [
        ['People/Mira Välé.md', '4869'],
        ['b.png', '00ff'],
      ],
    );
    assert.deepEqual(refused, []);
  });

  for (const name of [
    '../evil.md',
    'a/../../evil.md',
    '/etc/passwd',
    'C:/evil.md',
    '..\\evil.md',
    'a/./b.md',
  ])
    test(`with ${name} is refused as a whole`, async () => {
      const { status } = await refusal([
        { name: 'good.md', content: 'x' },
        { name, content: 'x' },
      ]);
      assert.equal(status, 422);
    });

  test('with a note that is too large refuses it before it is unpacked', async () => {
    const zeros = Buffer.alloc(LARGEST + 1);
    const { files, refused } = await readArchive(
      zipOf([
        { name: 'zeros.md', content: zeros },
        { name: 'zeros.csv', content: zeros },
        { name: 'zeros.png', content: zeros },
      ]),
      { ...unlimited, largestText: LARGEST },
    );
    assert.deepEqual(
      files.map(({ path }) => path),
      ['zeros.csv', 'zeros.png'],
    );
    assert.match(refused[0]?.reason ?? '', /65537 bytes.*65536.*MAX_TEXT_BYTES/);
  });

  test('with a link or a device keeps these out by name', async () => {
    const { files, refused } = await readArchive(
      zipOf([
        { name: 'link.md', content: '/etc/passwd', mode: 0o120777 },
        { name: 'pipe', mode: 0o010644 },
        { name: 'a.md', content: 'x' },
      ]),
      unlimited,
    );
    assert.deepEqual(
      files.map(({ path }) => path),
      ['a.md'],
    );
    assert.deepEqual(
      refused.map(({ place }) => place),
      ['link.md', 'pipe'],
    );
  });

  test('that unpacks to far more than it holds is refused', async () => {
    const { status, message } = await refusal([{ name: 'bomb.md', content: Buffer.alloc(20_000_000) }]);
    assert.equal(status, 413);
    assert.match(message, /100 times/);
  });

  test('that does so by many small files is refused before any of them is unpacked', async () => {
    const content = Buffer.alloc(500_000);
    const members = Array.from({ length: 500 }, (_, index) => ({ name: `${index}.md`, content }));
    const asked: number[] = [];
    await assert.rejects(
      readArchive(zipOf(members), { hold: async (bytes) => void asked.push(bytes), largestText: 1_000_000 }),
      { status: 413, message: /100 times/ },
    );
    assert.deepEqual(asked, []);
  });

  test('asks for memory by its directory, and is not unpacked where there is none', async () => {
    const refused = new Error('no room');
    const asked: number[] = [];
    const archive = zipOf([
      { name: 'a.md', content: 'x'.repeat(300) },
      { name: 'b.md', content: 'y'.repeat(200) },
    ]);
    await assert.rejects(
      readArchive(archive, {
        largestText: LARGEST,
        async hold(bytes) {
          asked.push(bytes);
          throw Object.assign(refused, { name: 'HttpError' });
        },
      }),
    );
    assert.deepEqual(asked, [1000]);
  });

  test('that lies about a size is refused', async () => {
    const { status } = await refusal([{ name: 'a.md', content: 'x'.repeat(5_000), claimedSize: 5 }]);
    assert.equal(status, 422);
  });

  test('that is none, or is cut off, is refused', async () => {
    await assert.rejects(readArchive(Buffer.from('no zip'), unlimited), { status: 422 });
    const whole = zipOf([{ name: 'a.md', content: 'x'.repeat(500) }]);
    await assert.rejects(readArchive(whole.subarray(0, whole.length - 10), unlimited), { status: 422 });
    const broken = Buffer.from(whole);
    broken.fill(0xaa, 40, 44);
    await assert.rejects(readArchive(broken, unlimited), HttpError);
  });
});
