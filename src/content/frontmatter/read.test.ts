import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DOCUMENT_LIMITS, type DocumentProblem, readDocument } from './index.ts';

function dataOf(yaml: string) {
  const result = readDocument(`---\n${yaml}---\n`);
  assert.ok(result.ok, result.ok ? '' : result.problem.reason);
  return result.data;
}

function problemOf(text: string): DocumentProblem {
  const result = readDocument(text);
  assert.ok(!result.ok);
  return result.problem;
}

function place({ code, line, column }: DocumentProblem) {
  return [code, line, column];
}

describe('reading frontmatter', () => {
  it('follows the core schema of YAML 1.2', () => {
    const yaml = 'date: 2024-01-01\nyes: yes\nnone:\n1: x\nhex: 0x10\nlist: [a, 1.5, true]\nclock: 12:30\n';
    const expected = {
      date: '2024-01-01',
      yes: 'yes',
      none: null,
      1: 'x',
      hex: 16,
      list: ['a', 1.5, true],
      clock: '12:30',
    };
    assert.deepEqual(dataOf(yaml), expected);
  });

  it('takes empty frontmatter and comments alone as no fields', () => {
    assert.deepEqual(dataOf(''), {});
    assert.deepEqual(dataOf('# only\n\n  # comments\n'), {});
  });

  it('expands aliases and leaves a merge key as a key', () => {
    assert.deepEqual(dataOf('a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n'), {
      a: { b: 1 },
      c: { b: 1 },
      d: { '<<': { b: 1 } },
    });
  });

  it('knows the line of every field', () => {
    const result = readDocument(
      '\uFEFF---\r\n# c\r\na: 1\r\nb:\r\n  - x\r\n  - k:\r\n      deep: 1\r\n---\r\n',
    );
    assert.ok(result.ok);
    const lines = [['a'], ['b'], ['b', 1], ['b', 1, 'k', 'deep'], ['b', 7], ['nowhere']].map((path) =>
      result.lineOf(path),
    );
    assert.deepEqual(lines, [3, 4, 6, 7, 4, 3]);
  });
});

describe('the text of a scalar', () => {
  it('is as it was written, without anchor and tag, and that of nothing else', () => {
    const result = readDocument('---\na: &x !!float 1.80 # c\nl: [a, "b"]\nm:\n  - k: 0x10\n---\n');
    assert.ok(result.ok);
    const sources = [['a'], ['l', 1], ['m', 0, 'k'], ['l'], ['m', 0], ['a', 'x'], ['nowhere']].map((path) =>
      result.sourceOf(path),
    );
    assert.deepEqual(sources, ['1.80', '"b"', '0x10', undefined, undefined, undefined, undefined]);
  });
});

describe('what editing needs', () => {
  it('is kept only for those who edit', () => {
    assert.equal('events' in readDocument('---\na: 1\n---\n'), false);
    assert.ok('events' in readDocument('---\na: 1\n---\n', { toEdit: true }));
  });
});

describe('frontmatter that cannot be read', () => {
  it('is missing or not closed', () => {
    assert.equal(problemOf('# Title\n').code, 'no_frontmatter');
    assert.equal(problemOf('---\na: 1\n').code, 'unclosed');
  });

  it('names another language, which is never run', () => {
    for (const fence of ['---js', '--- js', '---json5', '---coffee ', '\uFEFF---js']) {
      assert.equal(problemOf(`${fence}\nmodule.exports = 1\n---\n`).code, 'language_tag', fence);
    }
    assert.equal(problemOf('---\na: !!js/function "function(){}"\n---\n').code, 'yaml');
  });

  it('is named by line and column in the file, in words without the source', () => {
    const problem = problemOf('---\nname: ok\nlist: [a, b\nsecret_word: x\n---\n');
    assert.equal(problem.code, 'yaml');
    assert.equal(problem.line, 4);
    assert.doesNotMatch(problem.reason, /\n|secret_word/);
    const bracket = problemOf('---\na: [\n  b\n]\n---\n');
    assert.deepEqual([bracket.line, bracket.reason.includes('indented more')], [4, true]);
    assert.deepEqual(place(problemOf('---\na: 1\n\tb: 2\n---\n')).slice(0, 2), ['yaml', 3]);
  });

  it('has a key twice', () => {
    const problem = problemOf('---\na: 1\nb:\n  c: 1\n  c: 2\n---\n');
    assert.deepEqual(place(problem), ['duplicate_key', 5, 3]);
    assert.match(problem.reason, /key c /);
  });

  it('is no map', () => {
    for (const yaml of ['- a\n', 'text\n', '42\n', 'null\n'])
      assert.equal(problemOf(`---\n${yaml}---\n`).code, 'not_a_map', yaml);
  });

  it('has reserved keys at any depth', () => {
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      assert.deepEqual(place(problemOf(`---\na: 1\nb:\n  - x:\n      ${key}: {y: 1}\n---\n`)), [
        'reserved_key',
        5,
        7,
      ]);
    }
    assert.equal(Object.hasOwn(Object.prototype, 'y'), false);
  });

  it('has numbers that JSON has not', () => {
    for (const number of ['.inf', '-.INF', '.nan']) {
      assert.deepEqual(place(problemOf(`---\na: 1\nb: [${number}]\n---\n`)), ['yaml', 3, 5]);
    }
  });

  it('holds what no database keeps as text', () => {
    assert.deepEqual(place(problemOf('---\na: 1\nb: ["x\\0"]\n---\n')), ['invalid_text', 3, 5]);
    assert.deepEqual(place(problemOf('---\na: 1\n"\\0": 2\n---\n')), ['invalid_text', 3, 1]);
    assert.deepEqual(place(problemOf('---\na: "\\ud800"\n---\n')), ['invalid_text', 2, 1]);
    assert.deepEqual(place(problemOf('---\na: 1\n---\n\ntext\nx\0y\n')), ['invalid_text', 6, 2]);
    assert.deepEqual(place(problemOf('---\na: 1\n---\n\0')), ['invalid_text', 4, 1]);
  });

  it('is told in words that say what to do', () => {
    const deep = `a: ${'['.repeat(DOCUMENT_LIMITS.depth + 8)}${']'.repeat(DOCUMENT_LIMITS.depth + 8)}\n`;
    const reasons: [text: string, reason: RegExp][] = [
      ['---\n- a\n---\n', /must be a list of "key: value" lines/],
      ['---\na: 1\n--- {b: 2}\n---\n', /more than one YAML document/],
      ['---\na: 1\n---\n\0', /the body contains a NUL character/],
      ['---\na: "\\0"\n---\n', /a NUL character is no text/],
      ['---\na: "\\ud800"\n---\n', /half of a surrogate pair/],
      ['---\na: .nan\n---\n', /^NaN is no number that can be stored/],
      ['---\nprototype: 1\n---\n', /the key "prototype" is reserved; rename it/],
      [`---\na: [${'1,'.repeat(DOCUMENT_LIMITS.nodes)}]\n---\n`, /holds more than 50000 values$/],
      [`---\n${deep}---\n`, /nested deeper than 64 levels/],
      [`---\na: &a 1\nb: [${'*a,'.repeat(DOCUMENT_LIMITS.aliases + 1)}]\n---\n`, /more than 1000 aliases/],
      ['---\na: &a\n  self: *a\n---\n', /deeper than 64 levels once its aliases are expanded/],
      ['---\na:\n\tb: 1\n---\n', /indent with spaces/],
      ['---\na: 1\n b: 2\n---\n', /quote values that contain ": "/],
      ['---\na: "\\q"\n---\n', /^unknown escape sequence$/],
      ["---\n'a b': 1\n'a b' : 2\n---\n", /the key 'a b' appears twice; keep one/],
      ['---js\n---\n', /only YAML frontmatter is read; the first line must be exactly ---/],
      ['---\na: 1\n', /no closing --- line/],
      ['# T\n', /its first line must be ---/],
      [`---\na: ${'x'.repeat(DOCUMENT_LIMITS.yamlBytes)}\n---\n`, /the frontmatter is larger than 1048576/],
    ];
    for (const [text, reason] of reasons) assert.match(problemOf(text).reason, reason);
  });

  it('explodes through aliases', () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const items = Array.from({ length: 9 }, () => (level === 0 ? 'x' : `*l${level - 1}`));
      return `l${level}: &l${level} [${items.join(', ')}]\n`;
    });
    assert.equal(problemOf(`---\n${levels.join('')}---\n`).code, 'alias_bomb');
    assert.equal(problemOf('---\na: &a\n  self: *a\n---\n').code, 'alias_bomb');
    const many = `a: &a 1\nb: [${'*a, '.repeat(DOCUMENT_LIMITS.aliases + 1)}]\n`;
    assert.equal(problemOf(`---\n${many}---\n`).code, 'alias_bomb');
  });

  it('may be as deep and as large as the limits', () => {
    const most = DOCUMENT_LIMITS.depth - 1;
    assert.ok(readDocument(`---\na: ${'['.repeat(most)}${']'.repeat(most)}\n---\n`).ok);
    assert.ok(readDocument(`---\na: ${'x'.repeat(DOCUMENT_LIMITS.yamlBytes - 4)}\n---\n`).ok);
    assert.ok(readDocument(`---\na: ${'é'.repeat(DOCUMENT_LIMITS.yamlBytes / 2 - 2)}\n---\n`).ok);
  });

  it('is too deep, too large or holds too many values', () => {
    const levels = DOCUMENT_LIMITS.depth;
    assert.equal(problemOf(`---\na: ${'['.repeat(levels)}${']'.repeat(levels)}\n---\n`).code, 'too_deep');
    const deep = `a: ${'['.repeat(DOCUMENT_LIMITS.depth + 1)}${']'.repeat(DOCUMENT_LIMITS.depth + 1)}\n`;
    assert.equal(problemOf(`---\n${deep}---\n`).code, 'too_deep');
    assert.equal(problemOf(`---\na: ${'x'.repeat(DOCUMENT_LIMITS.yamlBytes)}\n---\n`).code, 'too_large');
    assert.equal(problemOf(`---\na: ${'é'.repeat(DOCUMENT_LIMITS.yamlBytes / 2)}\n---\n`).code, 'too_large');
    assert.equal(problemOf(`---\na: [${'1,'.repeat(DOCUMENT_LIMITS.nodes)}]\n---\n`).code, 'too_many_nodes');
    assert.equal(problemOf(`---\na: 1\n---\n${'x'.repeat(DOCUMENT_LIMITS.bytes)}`).code, 'too_large');
  });

  it('is more than one document', () => {
    assert.equal(problemOf('---\na: 1\n--- {b: 2}\n---\n').code, 'yaml');
  });
});
