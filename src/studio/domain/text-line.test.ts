import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ruleFinding } from './findings.ts';
import { firstLineOf, lineInText, sameLine } from './text-line.ts';

test('the text begins below the head of its file, whatever the line ends', () => {
  const bodies = { '---\nid: x\n---\n\nOne.\n': 5, '---\r\nid: x\r\n---\r\nOne.\n': 4, 'One.\n': 1 };
  for (const [content, line] of Object.entries(bodies))
    assert.equal(firstLineOf({ content, markdown_body: 'One.\n' }), line);
  assert.equal(firstLineOf({ content: '---\nid: x\n---\n', markdown_body: '' }), 4);
});

test('a finding has a line in the text of the entity that it is about', () => {
  const found = {
    rule_id: 'r',
    entity_type: 'character',
    entity_id: 'mira',
    field: 'markdown_body',
    severity: 'error',
    message: 'no',
    value: null,
    file: 'x.md',
    line: 7,
  } as const;
  const mira = { type: 'character', id: 'mira' };
  assert.equal(lineInText(ruleFinding(found), mira), 7);
  assert.equal(lineInText(ruleFinding(found), { ...mira, id: 'tobin' }), undefined);
  assert.equal(lineInText(ruleFinding({ ...found, field: 'name' }), mira), undefined);
  assert.equal(lineInText(ruleFinding({ ...found, line: null }), mira), undefined);
});

test('a line is found in a text that was changed around it', () => {
  const lines = ['one', 'two', 'three', 'four', 'five'];
  const before = lines.join('\n');
  const places = (after: string) => lines.map((_, index) => sameLine(before, after, index + 1));
  assert.deepEqual(places(before), [1, 2, 3, 4, 5]);
  assert.deepEqual(places(`new\n\n${before}`), [3, 4, 5, 6, 7]);
  assert.deepEqual(places(`${before}\nnew`), [1, 2, 3, 4, 5]);
  assert.deepEqual(places('one\nnew\ntwo\nthree\nnew\nfour\nfive'), [1, 3, 4, 6, 7]);
  assert.deepEqual(places('one\nfive'), [1, 2, 2, 2, 2], 'lines that are gone lead to what follows them');
  assert.deepEqual(places('one\ntwo\n3\nfour\nfive'), [1, 2, 3, 4, 5], 'a line that is written anew');
  assert.deepEqual(places('new\none\ntwo\n3\nfour\nfive\nnew'), [2, 3, 4, 5, 6], 'and moved as well');
  assert.deepEqual(places(''), [1, 1, 1, 1, 1]);
});
