import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cpuTimeSince } from '../../../test/support/cpu-time.ts';
import { decodeUtf8, readDocument, splitDocument, textOfAnyBytes } from './index.ts';

describe('splitting a document', () => {
  it('gives the head one blank line and the body the rest', () => {
    const parts = splitDocument('---\na: 1\n---\n\n\nBody\n');
    assert.equal(parts.head, '---\na: 1\n---\n\n');
    assert.equal(parts.body, '\nBody\n');
    assert.equal(parts.yaml, 'a: 1\n');
    assert.equal(parts.yamlLine, 2);
  });

  it('keeps byte order mark and CRLF', () => {
    const parts = splitDocument('\uFEFF---\r\na: 1\r\n...\r\n\r\nBody');
    assert.deepEqual(
      { bom: parts.bom, newline: parts.newline, yaml: parts.yaml, body: parts.body },
      { bom: true, newline: '\r\n', yaml: 'a: 1\r\n', body: 'Body' },
    );
  });

  it('closes only at a line of its own', () => {
    const parts = splitDocument('---\na: |\n  ---\nb: ---x\n---  \n---\n');
    assert.equal(parts.yaml, 'a: |\n  ---\nb: ---x\n');
    assert.equal(parts.body, '---\n');
  });

  it('takes a file without frontmatter as body', () => {
    for (const text of [
      '',
      '# Title\n',
      '----\n',
      ' ---\na: 1\n---\n',
      '\n---\na: 1\n---\n',
      '--- # c\n---\n',
    ]) {
      const parts = splitDocument(text);
      assert.equal(parts.hasFrontmatter, false, JSON.stringify(text));
      assert.equal(parts.body, text);
      assert.deepEqual([parts.yaml, parts.yamlLine], ['', 1]);
    }
  });

  it('finds frontmatter that ends with the file', () => {
    assert.equal(splitDocument('---\n---').hasFrontmatter, true);
    assert.equal(splitDocument('---\na: 1\n---').head, '---\na: 1\n---');
  });

  it('splits a megabyte without looking at the body', () => {
    const text = `---\na: 1\n---\n\n${'--- text\n'.repeat(120_000)}`;
    const started = process.cpuUsage();
    for (let round = 0; round < 100; round++) assert.ok(readDocument(text).ok);
    assert.ok(cpuTimeSince(started) < 500);
  });
});

describe('decoding bytes', () => {
  it('keeps the byte order mark', () => {
    const text = '\uFEFF---\na: é🐉\n---\n';
    assert.deepEqual(decodeUtf8(new TextEncoder().encode(text)), { ok: true, text });
  });

  it('names line and column of the first byte that is not UTF-8', () => {
    const bytes = new TextEncoder().encode('---\nname: é?\n---\n');
    bytes[12] = 0xff;
    const result = decodeUtf8(bytes);
    assert.ok(!result.ok);
    assert.deepEqual([result.problem.code, result.problem.line, result.problem.column], ['encoding', 2, 8]);
    assert.match(result.problem.reason, /^byte 13 of the file is not valid UTF-8/);
  });

  it('refuses a character that is cut off at the end', () => {
    const result = decodeUtf8(Uint8Array.of(0x61, 0x0a, 0xe2, 0x82));
    assert.ok(!result.ok);
    assert.deepEqual([result.problem.line, result.problem.column], [2, 1]);
  });

  it('counts a byte order mark as a character of the first line', () => {
    const result = decodeUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0xff));
    assert.ok(!result.ok);
    assert.deepEqual([result.problem.line, result.problem.column], [1, 3]);
  });
});

describe('the text of any bytes', () => {
  const utf16 = (text: string, isLittle: boolean) =>
    Uint8Array.from(
      Array.from(text, (character) => character.charCodeAt(0)).flatMap((code) =>
        isLittle ? [code & 0xff, code >> 8] : [code >> 8, code & 0xff],
      ),
    );

  it('is read as UTF-16 by its mark, or by its NUL bytes', () => {
    for (const isLittle of [true, false]) {
      assert.equal(textOfAnyBytes(utf16('\uFEFF漢字', isLittle)), '漢字');
      assert.equal(textOfAnyBytes(utf16('name: Mira', isLittle)), 'name: Mira');
    }
  });

  it('is UTF-8, else that of older programs, also behind half a mark or with a few NUL bytes', () => {
    const bytes = (...codes: number[]) => Uint8Array.from(codes);
    assert.equal(textOfAnyBytes(new TextEncoder().encode('née')), 'née');
    assert.equal(textOfAnyBytes(bytes(0x6e, 0xe9, 0x65)), 'née');
    assert.equal(textOfAnyBytes(bytes(0xff, 0x61)), 'ÿa');
    assert.equal(textOfAnyBytes(bytes(0xfe, 0x61)), 'þa');
    assert.equal(textOfAnyBytes(bytes(0x61, 0xfe)), 'aþ');
    assert.equal(textOfAnyBytes(bytes(0x61, 0xff)), 'aÿ');
    assert.equal(textOfAnyBytes(bytes(0x61, 0, 0x62, 0x63)), 'a␀bc');
    assert.equal(textOfAnyBytes(bytes(0, 0x61, 0x62, 0x63)), '␀abc');
    assert.equal(textOfAnyBytes(bytes(0x61, 0, 0, 0x63)), 'a␀␀c');
  });
});
