import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../test/support/properties.ts';
import { HttpError } from '../../kit/errors.ts';
import { checkDriveQuery } from './drive-query.ts';

const isRefused = (pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof HttpError, String(error));
  assert.equal(error.status, 400);
  assert.equal(error.extras.code, 'invalid_query');
  assert.match(error.message, pattern);
  return true;
};

test('brings terms into a normal form', () => {
  const terms: [given: string, normal: string][] = [
    ["name='a'", "name = 'a'"],
    [" NAME  CONTAINS\t'a' ", "name contains 'a'"],
    ["fulltext contains 'Mara\\'s \\\\ Ä 龍'", "fullText contains 'Mara\\'s \\\\ Ä 龍'"],
    [
      "modifiedTime>='2026-02-28' OR createdTime != '2026-01-31T12:00:00.5+02:00'",
      "modifiedTime >= '2026-02-28' or createdTime != '2026-01-31T12:00:00.5+02:00'",
    ],
    ['starred=TRUE and not sharedWithMe != false', 'starred = true and not sharedWithMe != false'],
    ["'abc' IN parents", "'abc' in parents"],
    ["'abc' in parents and Trashed=FALSE", "'abc' in parents and trashed = false"],
    ["((name = 'a'))", "name = 'a'"],
    ["not not name = 'a'", "name = 'a'"],
    ["not (name = 'a' or name = 'b')", "not (name = 'a' or name = 'b')"],
    ["name = 'a' and name = 'b' and name = 'c'", "name = 'a' and name = 'b' and name = 'c'"],
    ["name = 'a' or name = 'b' and name = 'c'", "(name = 'a' or name = 'b') and name = 'c'"],
    ["name = 'a' or (name = 'b' and name = 'c')", "name = 'a' or (name = 'b' and name = 'c')"],
    [
      "viewedByMeTime < '2026-01-31' and mimeType != 'text/plain'",
      "viewedByMeTime < '2026-01-31' and mimeType != 'text/plain'",
    ],
  ];
  for (const [given, normal] of terms) assert.equal(checkDriveQuery(given), normal);
});

test('says where a term is wrong and what was expected there', () => {
  const terms: [given: string, message: RegExp][] = [
    ['', /at character 1: expected one of name, fullText, .*, but it ends there/],
    ['trashed = true', /at character 11: expected false, as trashed files are left out, but there is true/],
    ['trashed != false', /at character 9: expected one of the operators = of trashed/],
    ["name ~ 'a'", /at character 6: .*, but there is ~/],
    ["fullText = 'a'", /at character 10: expected one of the operators contains of fullText, but there is =/],
    ['name = ', /at character 8: expected text in quotes such as 'dragon', but it ends there/],
    ["name = 'a", /at character 8: expected a text that ends with a quote/],
    ["name = 'a\\n'", /at character 8/],
    ["name = 'a' name = 'b'", /at character 12: expected and, or, or the end, but there is name/],
    ["name = 'a')", /at character 11: expected and, or, or the end, but there is \)/],
    ["(name = 'a'", /at character 12: expected and, or, or \), but it ends there/],
    ["name = 'a' and", /at character 15/],
    ["starred = 'true'", /at character 11: expected true or false, but there is 'true'/],
    ["modifiedTime > '2026-02-30'", /at character 16: expected a time such as/],
    ["modifiedTime > '2026-01-01T25:00:00'", /expected a time/],
    ["'a' in owners", /at character 8: expected parents, but there is owners/],
    ["name = '\ud800'", /at character 8: .*characters that no text has/],
    [`name = '${'a'.repeat(1_000)}'`, /has 1009 characters; at most 1000/],
    [`${'('.repeat(30)}name = 'a'${')'.repeat(30)}`, /at most 20 conditions inside one another/],
    [`${'not '.repeat(30)}name = 'a'`, /at most 20 conditions/],
  ];
  for (const [given, message] of terms)
    assert.throws(() => checkDriveQuery(given), isRefused(message), given);
});

type Term =
  | { kind: 'leaf'; at: number }
  | { kind: 'not'; inner: Term }
  | { kind: 'and' | 'or'; left: Term; right: Term };

const termOf = fc.letrec<{ term: Term }>((tie) => ({
  term: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({ kind: fc.constant('leaf' as const), at: fc.nat(3) }),
    fc.record({ kind: fc.constant('not' as const), inner: tie('term') }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      left: tie('term'),
      right: tie('term'),
    }),
  ),
})).term;

const written = (term: Term): string => {
  if (term.kind === 'leaf') return `name = '${term.at}'`;
  if (term.kind === 'not') return `not (${written(term.inner)})`;
  return `(${written(term.left)}) ${term.kind} (${written(term.right)})`;
};

const holds = (term: Term, leaves: readonly boolean[]): boolean => {
  if (term.kind === 'leaf') return leaves[term.at] ?? false;
  if (term.kind === 'not') return !holds(term.inner, leaves);
  const [left, right] = [holds(term.left, leaves), holds(term.right, leaves)];
  return term.kind === 'and' ? left && right : left || right;
};

/** As JavaScript, which ranks `and` above `or`: the normal form says the same in both languages. */
const outcomeOf = (text: string, leaves: readonly boolean[]): unknown => {
  const script = text
    .replaceAll(/name = '(\d)'/g, (_, at: string) => String(leaves[Number(at)]))
    .replaceAll(/\bnot /g, '!')
    .replaceAll(' and ', '&&')
    .replaceAll(' or ', '||');
  return new Function(`return ${script}`)();
};

test('keeps the meaning of a term, and its normal form as it is', () => {
  fc.assert(
    fc.property(termOf, fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), (term, leaves) => {
      const text = written(term);
      fc.pre(text.length <= 1_000);
      const normal = checkDriveQuery(text);
      fc.pre(normal.length <= 1_000);
      assert.equal(checkDriveQuery(normal), normal);
      assert.equal(outcomeOf(normal, leaves), holds(term, leaves));
    }),
  );
});

test('keeps every text, and refuses all else with a place', () => {
  const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      fc.pre(!text.includes('\0'));
      assert.equal(checkDriveQuery(`name=${quoted(text)}`), `name = ${quoted(text)}`);
    }),
  );
  const word = fc.constantFrom(
    'name',
    '=',
    '!=',
    "'a'",
    '(',
    ')',
    'not',
    'and',
    'or',
    'in',
    'parents',
    "'",
    '\\',
    'true',
  );
  const anything = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(word).map((words) => words.join(' ')),
  );
  fc.assert(
    fc.property(anything, (text) => {
      try {
        const normal = checkDriveQuery(text);
        assert.equal(checkDriveQuery(normal), normal);
      } catch (error) {
        isRefused(/^The query (?:is wrong at character \d+: expected|has \d+ characters)/)(error);
      }
    }),
  );
});
