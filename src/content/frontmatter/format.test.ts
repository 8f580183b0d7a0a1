import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DocumentError, formatDocument } from './index.ts';

describe('formatting a document', () => {
  it('normalises spaces, line breaks and blank lines, and nothing else', () => {
    const text =
      '---\r\n# top  \r\nb:    1   # note \r\na:\t"x"\r\nm: {k:   v}\r\nt: |  \r\n  hard  \r\n  break\r\nl:\r\n-   x\r\n--- \r\nBody  \r\nmore\r\n\r\n\r\n';
    const expected =
      '---\n# top\nb: 1   # note\na: "x"\nm: {k: v}\nt: |  \n  hard  \n  break\nl:\n-   x\n---\n\nBody  \nmore\n';
    assert.equal(formatDocument(text), expected);
    assert.equal(formatDocument(expected), expected);
  });

  it('ends with the frontmatter when there is no body', () => {
    assert.equal(formatDocument('---\na: 1\n---\n\n\n'), '---\na: 1\n---\n');
  });

  it('gives a file without frontmatter its last line break', () => {
    assert.equal(formatDocument('# Title\r\ntext'), '# Title\ntext\n');
  });

  it('keeps a byte order mark, an empty file and what stands inside values', () => {
    for (const [before, after] of [
      ['', ''],
      ['\uFEFF# T\r\n\r\n', '\uFEFF# T\n'],
      ['\uFEFF---\na:  1\n---\n', '\uFEFF---\na: 1\n---\n'],
      ['---\n? "x  \n  y"\n: 1  \n---\n', '---\n? "x  \n  y"\n: 1\n---\n'],
      [
        '---\nl:\n  - |\n    hard  \n  - "x  \n    y"  \n  -   z  \n---\n',
        '---\nl:\n  - |\n    hard  \n  - "x  \n    y"\n  -   z\n---\n',
      ],
      ['---\n:  1 \nm:  {"a":1}\n---\n', '---\n: 1\nm: {"a":1}\n---\n'],
    ] as const)
      assert.equal(formatDocument(before), after);
  });

  it('refuses a document that cannot be read', () => {
    assert.throws(() => formatDocument('---\na: [\n---\n'), DocumentError);
  });
});
