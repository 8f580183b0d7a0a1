import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDocument, DocumentError, newDocument } from './index.ts';

describe('creating a document', () => {
  it('writes plain YAML, one blank line and the body', () => {
    const data = {
      id: 'ann',
      name: 'Ann: of "X"',
      tags: ['a', 'yes'],
      bio: 'one\ntwo\n',
      stats: { hp: 1, list: [{ k: 1, l: [] }] },
      none: null,
    };
    const expected = `---
id: ann
name: 'Ann: of "X"'
tags:
  - a
  - "yes"
bio: |
  one
  two
stats:
  hp: 1
  list:
    - k: 1
      l: []
none: null
---

# Ann
`;
    assert.equal(createDocument(data, '# Ann\n'), expected);
    assert.equal(createDocument(data, '# Ann\n', '\r\n').replaceAll('\r\n', '\n'), expected);
  });

  it('writes no blank line when nothing follows', () => {
    assert.equal(createDocument({ a: 1 }, ''), '---\na: 1\n---\n');
    assert.equal(newDocument({ a: 1 }, 'x').head, '---\na: 1\n---\n\n');
    assert.equal(createDocument({}, '\nx'), '---\n---\n\n\nx');
  });

  it('says what is wrong where it is too large', () => {
    assert.throws(
      () => createDocument({ a: new Array(60_000).fill(1) }, ''),
      (error) => error instanceof DocumentError && error.problem.code === 'too_many_nodes',
    );
  });

  it('refuses what frontmatter cannot carry', () => {
    for (const data of [{ a: Number.POSITIVE_INFINITY }, { constructor: 1 }, { a: [1n] }]) {
      assert.throws(() => createDocument(data, ''), DocumentError);
    }
  });
});
