import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passagesOf, passagesOfText } from './index.ts';

const FILE = `---
id: mira
name: Mira Vale
status: active
occupation: smuggler
summary: She reads the tide tables to the harbour.
goal: "[What does she want?]"
traits: [patient, stubborn]
---

# Mira

Her mother left her a boat [[location:quay|by the quay]].

- It leaks.

## Later

${'The sea took the boat in spring. '.repeat(40)}
`;

test('fields come first, then the body, each passage with its lines', () => {
  const passages = passagesOf(FILE);
  const [fields, first, ...rest] = passages;
  assert.match(fields?.text ?? '', /^Mira Vale\. summary: She reads the tide tables/);
  assert.match(fields?.text ?? '', /traits: patient, stubborn/);
  assert.doesNotMatch(fields?.text ?? '', /What does she want|smuggler|active/);
  assert.deepEqual([fields?.lineFrom, fields?.lineTo], [6, 8]);
  assert.equal(first?.text, 'Mira Her mother left her a boat by the quay. It leaks.');
  assert.deepEqual([first.lineFrom, first.lineTo], [11, 15]);
  assert.ok(rest.length >= 3);
  for (const { text, lineFrom, lineTo } of rest) {
    assert.ok(text.length <= 420, String(text.length));
    assert.ok(lineFrom >= 17 && lineTo <= 19);
  }
});

test('offsets lead back to the text', () => {
  const last = passagesOf(FILE).at(-1);
  assert.match(FILE.slice(last?.start, last?.end), /^The sea took the boat in spring\./);
});

test('a file of nothing but a name is one passage, a damaged one none', () => {
  assert.deepEqual(
    passagesOf('---\nid: odd\nname: Odd\n---\n').map(({ text }) => text),
    ['Odd'],
  );
  assert.deepEqual(passagesOf('no frontmatter'), []);
});

test('long texts have a limit, also without any sentence', () => {
  const file = (body: string) => passagesOf(`---\nname: Long\n---\n${body}`);
  assert.equal(file('A short sentence of some words. '.repeat(20_000)).length, 500);
  assert.equal(file('x'.repeat(1_000_000)).length, 500);
});

test('a selection has parts of the same kind', () => {
  assert.deepEqual(passagesOfText('One.\n\nTwo *words*.'), ['One. Two words.']);
  assert.deepEqual(passagesOfText(' \n'), []);
});
