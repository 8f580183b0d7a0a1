import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DOCUMENT_LIMITS, type DocumentEdit, editYamlFile, readYamlFile } from './index.ts';

describe('reading a file of YAML', () => {
  it('gives its map, with lines as the file counts them', () => {
    for (const [text, data, line] of [
      ['', {}, 1],
      ['# c\n', {}, 1],
      ['a: 1', { a: 1 }, 1],
      ['a: 1\nb:\n  - x\n', { a: 1, b: ['x'] }, 2],
      ['\uFEFFa: 1\r\nb: 2', { a: 1, b: 2 }, 2],
    ] as const) {
      const read = readYamlFile(text);
      assert.ok(read.ok);
      assert.deepEqual(read.data, data);
      assert.deepEqual([read.lineOf(['b']), read.lineOf(['nowhere'])], [line, 1]);
    }
  });

  it('names what is wrong by the line of the file', () => {
    const large = `a: ${'x'.repeat(DOCUMENT_LIMITS.yamlBytes)}\n`;
    for (const [text, code, line, reason] of [
      ['a: [\n', 'yaml', 2, /indented more/],
      ['\n- a\n', 'not_a_map', 1, /key: value/],
      ['a: 1\nb: 2\nb: 3\n', 'duplicate_key', 3, /key b appears twice/],
      ['a: 1\n---\n', 'yaml', 1, /must hold one YAML document/],
      [large, 'too_large', 1, /larger than/],
    ] as const) {
      const read = readYamlFile(text);
      assert.ok(!read.ok);
      assert.deepEqual([read.problem.code, read.problem.line], [code, line]);
      assert.match(read.problem.reason, reason);
    }
  });
});

describe('editing a file of YAML', () => {
  it('keeps everything else, a byte order mark, line ends and a missing last one too', () => {
    const cases: [string, DocumentEdit, string][] = [
      ['', { set: { a: 1 } }, 'a: 1\n'],
      ['a: 1', { set: { a: 2 } }, 'a: 2'],
      ['a: 1', { unset: ['a'] }, ''],
      ['a: 1\r\nb: 2', { unset: ['b'] }, 'a: 1'],
      ['# c\na: 1 # d\n', { set: { a: 2 } }, '# c\na: 2 # d\n'],
      ['\uFEFFa: 1\r\nb: 2', { set: { b: 3, c: [1] } }, '\uFEFFa: 1\r\nb: 3\r\nc:\r\n  - 1'],
      ['\uFEFFa: 1\r\nb: 2\r\n', { set: { b: 3 } }, '\uFEFFa: 1\r\nb: 3\r\n'],
    ];
    for (const [before, edit, after] of cases) assert.equal(editYamlFile(before, edit), after);
  });
});
