import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { EVIL, evil, field, GOOD, hostileTars, ofKind } from '../../../test/support/hostile-archives/tars.ts';
import { extended, longName, type TarMember, tarGzOf, tarOf } from '../../../test/support/tar.ts';
import { refusal, unpacked } from '../../../test/support/unpacking.ts';

describe('a tar.gz is refused', () => {
  for (const { what, code, archives } of hostileTars)
    test(`if it has ${what}`, async () => {
      for (const [index, archive] of archives.entries())
        assert.equal((await refusal(archive)).code, code, `${what} ${index}`);
    });

  test('if its gzip is cut off after the end mark', async () => {
    const whole = tarGzOf([GOOD], Buffer.concat([Buffer.alloc(1024), randomBytes(500_000)]));
    assert.deepEqual(await unpacked(whole), { 'good.txt': 'good' });
    assert.equal((await refusal(whole.subarray(0, -1))).code, 'damaged');
  });

  test('with the name of the entry and what to do about it', async () => {
    const longTarget = { ...longName('x'.repeat(200)), kind: 'K' };
    const link = await refusal(tarGzOf([GOOD, longTarget, ofKind('2')]));
    assert.deepEqual([link.code, link.entry], ['bad_entry', 'evil']);
    assert.match(link.message, /symbolic link: pack the file itself/);
    const noted = await refusal(tarGzOf([GOOD, { ...EVIL, kind: 'x', content: 'x'.repeat(70_000) }]));
    assert.deepEqual([noted.code, noted.entry], ['bad_entry', 'evil']);
    const endless = await refusal(tarGzOf([GOOD, { ...EVIL, size: Buffer.alloc(12, 0xff) }]));
    assert.deepEqual([endless.code, endless.entry], ['damaged', 'evil']);
  });

  test('if its headers alone are more than it may unpack to', async () => {
    const empty = Array.from({ length: 400 }, () => extended({ comment: 'x'.repeat(2000) }, 'g'));
    const { code } = await refusal(tarGzOf(empty), { unpackedBytes: 1000, entries: 10 });
    assert.equal(code, 'too_large');
    const zeros = tarGzOf([GOOD], Buffer.alloc(1_000_000));
    assert.equal((await refusal(zeros, { unpackedBytes: 1000, entries: 10 })).code, 'too_large');
  });
});

describe('a tar.gz is taken', () => {
  const takes = async (members: TarMember[], expected: Record<string, string>) =>
    assert.deepEqual(await unpacked(tarGzOf([GOOD, ...members])), { 'good.txt': 'good', ...expected });

  test('with long names in each form', async () => {
    const long = `${'folder/'.repeat(30)}file`;
    await takes([longName(long), EVIL], { [long]: 'evil' });
    await takes([extended({ path: long }), EVIL], { [long]: 'evil' });
    await takes([{ ...EVIL, prefix: 'a/b' }], { 'a/b/evil': 'evil' });
    await takes([{ ...EVIL, prefix: 'atime', magic: 'ustar  \0' }], { evil: 'evil' });
    await takes([{ ...EVIL, magic: '', kind: '\0' }], { evil: 'evil' });
    await takes([{ ...EVIL, name: 'n'.repeat(100) }], { ['n'.repeat(100)]: 'evil' });
  });

  test('with a size beside it, which hides no entry in the bytes', async () => {
    const inner = tarOf([{ name: 'hidden' }]);
    await takes([extended({ size: String(inner.length) }), { ...EVIL, content: inner, size: 0 }], {
      evil: inner.toString('latin1'),
    });
    await takes([{ ...EVIL, size: Buffer.concat([field('\x80'), Buffer.alloc(10), Buffer.from([4])]) }], {
      evil: 'evil',
    });
    await takes([{ ...EVIL, size: field('         4 \0') }], { evil: 'evil' });
  });

  test('with notes that do not matter', async () => {
    await takes([extended({ comment: 'a commit' }, 'g'), extended({ mtime: '1.5', uid: '7' }), EVIL], {
      evil: 'evil',
    });
  });

  test('with folders by their kind or by a slash', async () => {
    await takes([ofKind('5'), { name: 'evil/a/' }, { ...EVIL, name: 'evil/a/b' }], { 'evil/a/b': 'evil' });
  });

  test('in several members of gzip', async () => {
    for (const at of [0, 100, 512, 1100, evil.length]) {
      const members = [gzipSync(evil.subarray(0, at)), gzipSync(evil.subarray(at))];
      assert.deepEqual(await unpacked(Buffer.concat(members)), { 'good.txt': 'good', evil: 'evil' });
    }
  });

  test('with entries after its end mark, of which none is read', async () => {
    const hidden = tarOf([{ name: '../hidden' }]);
    for (const archive of [
      gzipSync(Buffer.concat([evil, hidden])),
      gzipSync(Buffer.concat([evil, Buffer.alloc(200_000), hidden])),
      Buffer.concat([gzipSync(evil), gzipSync(hidden)]),
    ])
      assert.deepEqual(await unpacked(archive), { 'good.txt': 'good', evil: 'evil' });
  });

  test('with long names whose letters have several bytes, wherever these are', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `${'語'.repeat(80)}${index}`);
    const members = names.flatMap((name, index) => [
      longName(name),
      { name: 'x', content: 'x'.repeat(index) },
    ]);
    assert.deepEqual(Object.keys(await unpacked(tarGzOf(members))), names);
  });

  test('that is empty, or goes on with zeros', async () => {
    assert.deepEqual(await unpacked(tarGzOf([])), {});
    assert.deepEqual(await unpacked(tarGzOf([GOOD], Buffer.alloc(10_000))), { 'good.txt': 'good' });
  });
});
