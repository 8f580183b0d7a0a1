import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { crc32, deflateRawSync } from 'node:zlib';
import {
  EVIL,
  extra,
  GOOD,
  hostileZips,
  MOST_32,
  streamed,
  unicodePath,
  zip64,
} from '../../../test/support/hostile-archives/zips.ts';
import { refusal, unpacked } from '../../../test/support/unpacking.ts';
import {
  descriptorOf,
  littleEndian,
  type ZipMember,
  type ZipOptions,
  zipOf,
} from '../../../test/support/zip.ts';

describe('a zip is refused', () => {
  for (const { what, code, archives } of hostileZips)
    test(`if it has ${what}`, async () => {
      for (const [index, archive] of archives.entries())
        assert.equal((await refusal(archive)).code, code, `${what} ${index}`);
    });

  test('with the name of the entry and what to do about it', async () => {
    for (const [fault, what] of [
      [{ both: { flags: 0x0801 } }, /encrypted: pack it without a password/],
      [{ mode: 0o120777 }, /a link or a device: pack the file itself/],
      [{ both: { method: 12 } }, /packed in an unusual way: pack it as a common zip/],
      [{ both: { sum: 1 } }, /bytes are not those that it was packed from/],
    ] as const) {
      const { entry, message } = await refusal(zipOf([GOOD, { ...EVIL, ...fault }]));
      assert.equal(entry, 'evil');
      assert.match(message, what);
    }
  });

  test('if entries that share the same bytes unpack to too much', async () => {
    const bomb = { name: 'bomb', content: Buffer.alloc(100_000) };
    const again = Array.from({ length: 10 }, (_, index) => ({
      ...bomb,
      name: `bomb-${index}`,
      data: Buffer.alloc(0),
      both: { packed: deflateRawSync(bomb.content).length },
      central: { offset: 0 },
    }));
    const { code } = await refusal(zipOf([bomb, ...again]), { unpackedBytes: 1_000_000 });
    assert.equal(code, 'too_large');
  });
});

describe('a zip is taken', () => {
  const takes = async (member: ZipMember, options?: ZipOptions) =>
    assert.deepEqual(await unpacked(zipOf([GOOD, member], options)), { 'good.txt': 'good', evil: 'evil' });

  test('with sizes after the data, in each form', async () => {
    for (const isWide of [false, true])
      for (const isSigned of [false, true]) await takes(streamed(descriptorOf('evil', { isWide, isSigned })));
  });

  test('with the sizes of Zip64 where they are right', async () => {
    await takes({ ...EVIL, both: { size: MOST_32, packed: MOST_32, extra: zip64(4, 6) } });
    await takes({ ...EVIL, central: { offset: MOST_32, extra: zip64(44) } });
    await takes(EVIL, { wide: {} });
    await takes(EVIL, { wide: {}, end: { count: 0xffff, countHere: 0xffff, size: MOST_32, start: MOST_32 } });
  });

  test('with a path in Unicode beside the name, but not with one of another name', async () => {
    const name = Buffer.from('gr\x81n', 'latin1');
    const field = extra(
      0x7075,
      Buffer.concat([Buffer.from([1]), littleEndian([4, crc32(name)]), Buffer.from('grün')]),
    );
    assert.deepEqual(await unpacked(zipOf([{ name, both: { flags: 0, extra: field } }])), { grün: '' });
    await takes({ ...EVIL, both: { extra: unicodePath('other', '../evil') } });
  });

  test('with a comment, padding or hints about packing', async () => {
    await takes(EVIL, { comment: 'about it' });
    await takes({ ...EVIL, both: { extra: Buffer.alloc(3) } });
    await takes({ ...EVIL, local: { flags: 0x0806 } });
  });

  test('whose directory has another order than its bytes', async () => {
    const bytesOfOne = 30 + 'a'.length + 'one'.length;
    const swapped = zipOf([
      {
        name: 'a',
        content: 'one',
        isStored: true,
        central: { name: 'b', sum: crc32('two'), offset: bytesOfOne },
      },
      { name: 'b', content: 'two', isStored: true, central: { name: 'a', sum: crc32('one'), offset: 0 } },
    ]);
    assert.deepEqual(await unpacked(swapped), { a: 'one', b: 'two' });
  });

  test('that is empty', async () => {
    assert.deepEqual(await unpacked(zipOf([])), {});
  });
});
