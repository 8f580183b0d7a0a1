import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashOfCode, hintOf, newCode, normalisedCode } from './codes.ts';

test('a code has more than 80 random bits, and no letters that look alike', () => {
  const codes = new Set(Array.from({ length: 1_000 }, newCode));
  assert.equal(codes.size, 1_000);
  const letters = new Set([...codes].flatMap((code) => [...normalisedCode(code)]));
  for (const code of codes) assert.match(code, /^(?:[0-9A-Z]{4}-){4}[0-9A-Z]{4}$/);
  assert.ok(20 * Math.log2(letters.size) > 80);
  for (const unclear of '0O1ILU') assert.ok(!letters.has(unclear), unclear);
});

test('case, spaces and dashes do not matter when a code is typed', () => {
  for (const typed of [
    '7kqm-x2rd-94hv-tbyc-e3wn',
    ' 7KQM X2RD 94HV TBYC E3WN ',
    '7KQMX2RD94HVTBYCE3WN',
    '7KQM–X2RD–94HV–TBYC–E3WN',
  ])
    assert.equal(hashOfCode(typed), hashOfCode('7KQM-X2RD-94HV-TBYC-E3WN'), typed);
  assert.notEqual(hashOfCode('7KQM-X2RD-94HV-TBYC-E3WM'), hashOfCode('7KQM-X2RD-94HV-TBYC-E3WN'));
  assert.equal(hintOf('7KQM-X2RD-94HV-TBYC-E3WN'), 'E3WN');
});
