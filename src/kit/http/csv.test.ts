import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { csvReply } from './csv.ts';

test('no cell is run as a formula, and every other text is as it was', () => {
  const texts = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\r=1', '＝1', 'plain', 'a "b", c\nd', '3-1'];
  const rows = texts.map((text, number) => ({ text, number, nothing: null }));
  const read: string[][] = parse(String(csvReply('x', ['text', 'number', 'nothing'], rows).body), {
    record_delimiter: '\r\n',
  });
  assert.deepEqual(read[0], ['text', 'number', 'nothing']);
  const cells = read.slice(1).map(([text]) => text);
  assert.deepEqual(
    cells.slice(0, 8),
    texts.slice(0, 8).map((text) => `'${text}`),
  );
  assert.deepEqual(cells.slice(8), texts.slice(8));
});

test('a file that would become too large ends early', () => {
  const rows = Array.from({ length: 20 }, () => ({ text: 'x'.repeat(1024 * 1024) }));
  assert.equal(String(csvReply('x', ['text'], rows).body).split('\r\n').length, 1 + 7 + 1);
});
