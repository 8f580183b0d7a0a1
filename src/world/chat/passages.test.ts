import assert from 'node:assert/strict';
import { test } from 'node:test';
import { starterTemplates } from '../../../test/support/starter-templates.ts';
import { passagesOf, termsOf } from './passages.ts';

test('a question is looked for by the words that say what it is about', () => {
  assert.deepEqual(termsOf('Who is the keeper of the Bell Stair?'), ['keeper', 'bell', 'stair']);
  assert.deepEqual(termsOf('Who are you?'), ['who', 'are', 'you']);
  assert.deepEqual(termsOf('…'), []);
  assert.equal(termsOf(Array.from({ length: 50 }, (_, index) => `word${index}`).join(' ')).length, 12);
});

const HEAD = `---
id: mira
name: Mira
occupation: Tide reader
traits:
  - patient
  - proud
deep: { debt: { to: Orla } }
---
`;
const BODY = `# Mira

She keeps a **tide** table.

Her *tide* tables are wrong
in one reader’s eye.

Nothing.
`;

const told = (text: string, ...terms: string[]) => {
  const template = starterTemplates().get('character');
  assert.ok(template);
  return passagesOf(template, text, terms).map(({ text: shown, line, end_line }) => [shown, line, end_line]);
};

test('the places that fit best are told as they are written, with their lines in the file', () => {
  assert.deepEqual(told(HEAD + BODY, 'tide', 'reader'), [
    ['Her *tide* tables are wrong in one reader’s eye.', 14, 15],
    ['occupation: Tide reader', 4, 4],
  ]);
  assert.deepEqual(told(HEAD + BODY, 'orla'), [['deep.debt.to: Orla', 8, 8]]);
  assert.deepEqual(told(HEAD + BODY, 'proud'), [['traits: patient, proud', 5, 7]]);
  assert.deepEqual(told(HEAD + BODY, 'nowhere'), [['She keeps a **tide** table.', 12, 12]]);
});

test('a file with other line breaks, or without readable fields, has its lines all the same', () => {
  const windows = (HEAD + BODY).replaceAll('\n', '\r\n');
  assert.deepEqual(told(windows, 'tide', 'reader')[0]?.slice(1), [14, 15]);
  assert.deepEqual(told(`---\nid: [\n---\n${BODY}`, 'nothing'), [['Nothing.', 11, 11]]);
});

test('a long passage is cut, and never within a letter', () => {
  const [[text = '']] = told(`${HEAD}tide ${'𝔵'.repeat(5_000)}`, 'tide') as [[string]];
  assert.ok(text.length < 900 && text.endsWith('𝔵 …'));
});
