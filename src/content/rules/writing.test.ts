import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkRuleForWrite } from './index.ts';

/** As `field: message`. */
const faultsOf = (rule: Record<string, unknown>): string[] =>
  checkRuleForWrite({ id: 'r', description: 'd', ...rule }).map(
    ({ field, message }) => `${field}: ${message}`,
  );

const ID = 'id: must be letters, digits, dots, hyphens and underscores, at most 100';
const PLACE = 'applies_to: must name a field, such as summary or stages.name, or a list of fields or types';
const COUNT = 'min_count: must be a whole number, 0 or more';

describe('a rule that is written', () => {
  const cases: [rule: Record<string, unknown>, ...faults: string[]][] = [
    [{}],
    [{ id: 5 }, ID],
    [{ id: '-a' }, ID],
    [{ id: 'a'.repeat(100) }],
    [{ id: 'a'.repeat(101) }, ID],
    ...['markdown', 'system-prompt', 'revisions'].map((id): [Record<string, unknown>, string] => [
      { id },
      `id: "${id}" is reserved for a route; choose another`,
    ]),
    [{ description: ' ' }, 'description: must say the rule'],
    [{ description: 5 }, 'description: must say the rule'],
    [{ category: 'style', priority: 'low', severity: 'hint', message: 'm', enabled: false }],
    [{ category: 'odd' }, 'category: must be one of validation, generation, consistency, style'],
    [{ priority: 1 }, 'priority: must be one of critical, high, medium, low'],
    [
      { validation_type: 'x' },
      'validation_type: must be one of required_field, range, min_count, regex, reference_exists, custom',
      'applies_to: a x rule needs the field to look at',
    ],
    [{ severity: 'loud' }, 'severity: must be error, warning or info'],
    [
      { message: 1, field: 2, reference_type: 3 },
      'message: must be text',
      'field: must be text',
      'reference_type: must be text',
    ],
    [{ enabled: 'no' }, 'enabled: must be true or false'],
    [{ applies_to: null }],
    [{ applies_to: ['a', 'b.0.c'] }],
    [{ applies_to: 'a..b' }, PLACE],
    [{ applies_to: ['a', 5] }, PLACE],
    [{ validation_type: 'required_field' }, 'applies_to: a required_field rule needs the field to look at'],
    [{ validation_type: 'required_field', field: 'a' }],
    [{ validation_type: 'range', field: 'a' }, 'min: a range rule needs min or max'],
    [{ validation_type: 'range', field: 'a', min: '1' }, 'min: must be a number'],
    [{ validation_type: 'range', field: 'a', max: null }, 'max: must be a number'],
    [{ validation_type: 'range', field: 'a', min: 2, max: 1 }, 'min: must not be larger than max'],
    [{ validation_type: 'range', field: 'a', min: 1, max: 1 }],
    [{ validation_type: 'min_count', field: 'a', min_count: 0 }],
    [{ validation_type: 'min_count', field: 'a', min_count: 1.5 }, COUNT],
    [{ validation_type: 'min_count', field: 'a', min_count: -1 }, COUNT],
    [{ validation_type: 'min_count', field: 'a', min_count: '2' }, COUNT],
    [{ validation_type: 'min_count', field: 'a' }, COUNT],
    [{ validation_type: 'regex', field: 'a', pattern: '' }, 'pattern: a regex rule needs it'],
    [
      { validation_type: 'regex', field: 'a', pattern: '[' },
      'pattern: not a pattern in RE2 syntax: missing closing ]: `[`',
    ],
    [
      { validation_type: 'regex', field: 'a', pattern: 'a'.repeat(501) },
      'pattern: the pattern is longer than 500 characters',
    ],
    [
      { validation_type: 'regex', field: 'a', pattern: '(aaa){1,999}' },
      'pattern: the pattern repeats too much: it would be slow',
    ],
    [{ validation_type: 'custom' }, 'expression: a custom rule needs it'],
    [{ validation_type: 'custom', expression: 'true' }],
  ];
  for (const [rule, ...faults] of cases)
    it(`${JSON.stringify(rule).slice(0, 80)}: ${faults.length === 0 ? 'is fine' : 'is refused'}`, () => {
      assert.deepEqual(faultsOf(rule), faults);
    });
});

describe('an expression that cannot be used is explained', () => {
  const cases: [expression: string, reason: string][] = [
    ['-name == "a"', '"-" cannot be used on a text'],
    ['!name', '"!" cannot be used on a text'],
    ['name + 1 == "a"', '"+" cannot be used between a text and a whole number'],
    ['1.5 + true == 2', '"+" cannot be used between a number and true or false'],
    ['[1] < null', '"<" cannot be used between a list and nothing'],
    ['fields < 1', '"<" cannot be used between a mapping and a whole number'],
    ['words(1) == 1', 'words() cannot be used on a whole number'],
    ['matches(name, "a", "b")', 'matches() cannot be used on a text and a text and a text'],
    ['(1).trim() == "a"', '.trim() cannot be used on a whole number'],
    ['name.all(c, true)', 'a loop such as exists() or all() needs a list, not a text'],
    ['1 && true', '"&&" and "||" need true or false, not a whole number'],
    ['nam == "a"', '"nam" is not known (did you mean \'name\'?)'],
    ['zzz == 1', '"zzz" is not known; a field is written fields.zzz'],
    ['size(name) >', 'it ends too early'],
    ['wrds(name) == 1', "wrds() is not known here (did you mean 'words'?)"],
    ['name.trm() == ""', ".trm() is not known here (did you mean 'trim'?)"],
    ['[1].exist(a, a == 1)', ".exist() is not known here (did you mean 'exists'?)"],
    ['matches(name, 1)', 'the pattern of matches() must be a text in quotes'],
    [
      'matches(name, "(?=a)b")',
      'not a pattern in RE2 syntax: invalid or unsupported Perl syntax: `(?=` (RE2 has no lookahead or lookbehind: write two rules, or a custom expression)',
    ],
  ];
  for (const [expression, reason] of cases)
    it(expression, () => {
      assert.deepEqual(faultsOf({ validation_type: 'custom', expression }), [
        `expression: not an expression: ${reason}`,
      ]);
    });

  it('if it is too long, or says neither true nor false', () => {
    const whole = (expression: string) => faultsOf({ validation_type: 'custom', expression });
    const longest = `"${'a'.repeat(992)}" == ""`;
    assert.deepEqual(whole(longest), []);
    assert.deepEqual(whole(`${longest} `), ['expression: the expression is longer than 1000 characters']);
    assert.deepEqual(whole('"a"'), [
      'expression: the expression must say true or false, not a value of the kind string',
    ]);
  });

  it('but may call everything that there is', () => {
    const calls = [
      'has(fields.a)',
      'size(name) == int("1")',
      'double(1) == 1.0 && string(1) == "1" && bool("true") && type(1) == int && dyn(1) == 1',
      'words(name) == 1 && filled(fields) && size(duplicates([1])) == 0 && matches(name, "a")',
      ...['contains', 'startsWith', 'endsWith'].map((name) => `name.${name}("a")`),
      ...['indexOf', 'lastIndexOf'].map((name) => `name.${name}("a") == 1`),
      ...['lowerAscii', 'upperAscii', 'trim'].map((name) => `name.${name}() == "a"`),
      'name.substring(1) == "a" && name.split(",") == ["a"] && name.size() == 1',
      ...['all', 'exists', 'exists_one'].map((name) => `[1].${name}(a, a == 1)`),
      ...['map', 'filter'].map((name) => `[1].${name}(a, a == 1) == []`),
    ];
    for (const expression of calls)
      assert.deepEqual(faultsOf({ validation_type: 'custom', expression }), [], expression);
  });
});
