import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseTemplate } from '../template/index.ts';
import {
  bindingReferenceRules,
  compiledRules,
  DEFAULT_RULE_SETTINGS,
  parseRules,
  type RuleCheck,
  type RuleSubject,
  readRule,
  rulesOfType,
  runRules,
} from './index.ts';

const parsed = parseTemplate({
  path: '_Templates/Standard/SHIP_TEMPLATE.md',
  text: `---
entity_type: ship
summary: ""
speed: 3
crew: []
captain: null
stages: []
arc: { beginning: "", ending: "" }
mates: [{ who: "", at: 1 }]
field_config:
  captain: { reference_type: character }
  mates.who: { reference_type: character }
---
`,
});
assert.ok(parsed.ok);
const SHIP = parsed.template;
const TYPES = new Map([
  ['ship', SHIP],
  ['character', { ...SHIP, entity_type: 'character', fields: [] }],
]);

type Given = Record<string, unknown>;

function templateWith(given: Given) {
  const text = `---\n${JSON.stringify({ rules: [{ id: 'r', ...given }] })}\n---\n`;
  const read = parseRules({ path: '_Rules/SHIP_RULES.md', text });
  assert.ok(read.ok);
  return { ...SHIP, rules: rulesOfType(SHIP, [read.document], DEFAULT_RULE_SETTINGS, TYPES) };
}

const subjectOf = (fields: Given): RuleSubject => ({
  entity_type: 'ship',
  entity_id: 'gull',
  name: 'The Gull',
  status: 'draft',
  fields: { summary: '', speed: 3, crew: [], captain: null, stages: [], arc: {}, ...fields },
  markdown_body: 'The body',
  primary_asset: null,
  production_status: null,
});

const found = (given: Given, fields: Given) => runRules(templateWith(given), subjectOf(fields), () => false);

/** As `field: message`. */
const told = (given: Given, fields: Given = {}): string[] =>
  found(given, fields).map(({ field, message }) => `${field}: ${message}`);

const long = 'x'.repeat(80);
const required = { validation_type: 'required_field' };
const count = { validation_type: 'min_count' };
const range = { validation_type: 'range' };

describe('a finding says what is wrong and where', () => {
  const cases: [rule: Given, fields: Given, ...messages: string[]][] = [
    [
      { ...required, applies_to: 'summary' },
      { summary: '[One]' },
      "summary: summary is required and still holds the template's instruction",
    ],
    [
      { ...required, applies_to: 'summary', description: 'Say it' },
      { summary: ' ' },
      'summary: summary is required and is empty. Say it',
    ],
    [{ ...required, applies_to: 'crew' }, { crew: ['', null] }, 'crew: crew is required and is empty'],
    [{ ...required, applies_to: 'crew' }, { crew: ['', 'a'] }],
    [{ ...required, applies_to: 'arc' }, { arc: { beginning: '' } }],
    [
      { ...required, applies_to: 'fields.arc.*' },
      { arc: { a: '', b: 'x' } },
      'arc.a: arc.a is required and is empty',
    ],
    [
      { ...required, applies_to: 'crew.*.x' },
      { crew: [{ x: '' }, 5] },
      'crew.0.x: crew.0.x is required and is empty',
      'crew.1.x: crew.1.x is required and is empty',
    ],
    [
      {
        ...required,
        applies_to:
          'name, title, id, entity_id, status, entity_type, body, markdown_body, primary_asset, primary_image, production_status',
      },
      {},
      'primary_asset: primary_asset is required and is empty',
      'primary_image: primary_image is required and is empty',
      'production_status: production_status is required and is empty',
    ],
    [
      { ...range, applies_to: 'speed', min: 1 },
      { speed: 0 },
      'speed: speed must be a number of at least 1, is 0',
    ],
    [{ ...range, applies_to: 'speed', max: 2 }, {}, 'speed: speed must be a number of at most 2, is 3'],
    [
      { ...range, applies_to: 'crew', min: 1, max: 2 },
      { crew: ['', 1, '2', 'x', true, long] },
      'crew.3: crew.3 must be a number of at least 1 and at most 2, is "x"',
      'crew.4: crew.4 must be a number of at least 1 and at most 2, is true',
      `crew.5: crew.5 must be a number of at least 1 and at most 2, is "${long.slice(0, 59)}…`,
    ],
    [
      { ...count, applies_to: 'crew', min_count: 1 },
      { crew: [''] },
      'crew: crew needs at least 1 entry, has 0',
    ],
    [
      { ...count, applies_to: 'arc', min_count: 3 },
      { arc: { a: 1, b: 2 } },
      'arc: arc needs at least 3 entries, has 2',
    ],
    [{ ...count, applies_to: 'summary', min_count: 1 }, {}, 'summary: summary needs at least 1 word, has 0'],
    [
      { ...count, applies_to: 'summary', min_count: 3 },
      { summary: 'one two' },
      'summary: summary needs at least 3 words, has 2',
    ],
    [{ ...count, applies_to: 'speed', min: 1 }, {}],
    [{ ...count, applies_to: 'speed', min_count: 2 }, {}, 'speed: speed needs at least 2 entries, has 1'],
    [
      { validation_type: 'regex', applies_to: 'crew', pattern: '^a' },
      { crew: ['a', '', 'b', { x: 1 }, 5] },
      'crew.2: crew.2 does not match ^a, is "b"',
      'crew.3: crew.3 must be text that matches ^a',
      'crew.4: crew.4 does not match ^a, is 5',
    ],
    [
      { validation_type: 'reference_exists', applies_to: 'captain, crew, mates.who' },
      {
        captain: ' ada ',
        crew: ['[[ bo |B]]', { id: 'cy' }, { x: 1 }, '[Name]', 5],
        mates: [{ who: 'dee' }],
      },
      'captain: captain names the character "ada", which does not exist',
      'crew.0: crew.0 names the entity "bo", which does not exist',
      'crew.1.id: crew.1.id names the entity "cy", which does not exist',
      'mates.0.who: mates.0.who names the character "dee", which does not exist',
    ],
    [
      { validation_type: 'reference_exists', applies_to: 'crew', reference_type: 'Character' },
      { crew: [{ character_id: 'y' }] },
      'crew.0.character_id: crew.0.character_id names the character "y", which does not exist',
    ],
  ];
  for (const [rule, fields, ...messages] of cases)
    it(JSON.stringify([rule, fields]).slice(0, 100), () => {
      assert.deepEqual(told(rule, fields), messages);
    });

  it('with the path, a short form of the value, the severity and the message of the rule', () => {
    const rule = { ...required, applies_to: 'crew.0.x', message: 'No!', severity: 'error' };
    assert.deepEqual(found(rule, { crew: [{ x: '' }] }), [
      { kind: 'r', field: 'crew.0.x', path: ['crew', 0, 'x'], severity: 'error', message: 'No!', value: '' },
    ]);
  });

  it('fifty times at most', () => {
    const crew = Array.from({ length: 60 }, () => 0);
    assert.equal(told({ ...range, applies_to: 'crew', min: 1 }, { crew }).length, 50);
  });

  it('only about what an entity has, where the name is a slip', () => {
    const rule = { ...required, applies_to: 'sumary' };
    assert.deepEqual(told(rule), []);
    assert.deepEqual(told(rule, { sumary: '' }), ['sumary: sumary is required and is empty']);
    const custom = { validation_type: 'custom', expression: 'fields.sumary == "x"' };
    assert.deepEqual(told(custom), []);
    assert.deepEqual(told(custom, { sumary: 'y' }), ['null: fields.sumary == "x" is not true']);
  });
});

describe('an expression', () => {
  const run = (expression: string, fields: Given = {}, more: Given = {}) =>
    told({ validation_type: 'custom', expression, ...more }, fields);

  it('may use whole and decimal numbers together, and all attributes', () => {
    for (const expression of [
      'fields.speed + 1 == 4.0 && 1 + fields.speed == 4.0',
      'fields.speed - 1 == 2.0 && 1 - fields.speed == -2.0',
      'fields.speed * 2 == 6.0 && 2 * fields.speed == 6.0',
      'fields.speed / 2 == 1.5 && 12 / fields.speed == 4.0',
      'fields.speed % 2 == 1.0 && 7 % fields.speed == 1.0 && fields.speed % fields.speed == 0.0',
      'status == "draft" && entity_type == "ship" && entity_id == "gull" && name == "The Gull"',
      'body == "The body" && primary_asset == null && production_status == null',
    ])
      assert.deepEqual(run(expression), [], expression);
  });

  it('knows what is filled, and what is there twice', () => {
    assert.equal(run('filled(fields.crew)', { crew: ['', null] }).length, 1);
    assert.deepEqual(run('filled(fields.crew)', { crew: ['', 'a'] }), []);
    const crew = ['a', 'a', 'a', { x: 1 }, { x: 1 }];
    assert.deepEqual(run('duplicates(fields.crew) == ["a", {"x": 1.0}]', { crew }), []);
  });

  it('runs for each value of the field', () => {
    assert.deepEqual(run('value > 3', { stages: [1, 5] }, { applies_to: 'stages.*' }), [
      'stages.0: value > 3 is not true',
    ]);
    assert.deepEqual(run('value == null', {}, { applies_to: 'arc.x' }), []);
  });

  it('that cannot be run says why, and is no error', () => {
    const cases: [expression: string, fields: Given, reason: string][] = [
      ['fields.captain > 3', {}, '">" cannot be used between nothing and a whole number; captain is empty'],
      [
        'fields.captain > fields.summary',
        { summary: null },
        '">" cannot be used between nothing and nothing; captain, summary are empty',
      ],
      ['fields.crew[3] == 1', {}, 'the list has no entry 3'],
      ['fields.arc.x.y == 1', {}, 'nothing stands at "x"'],
      ['int(fields.captain) == 1', { captain: 'x' }, 'int() cannot make a number of it'],
      ['fields.captain', { captain: 5 }, 'it says neither true nor false'],
      [
        'matches(fields.summary, "a{1,100}b")',
        { summary: 'x'.repeat(20_001) },
        'a text is too long for matches()',
      ],
    ];
    for (const [expression, fields, reason] of cases) {
      const [finding] = found({ validation_type: 'custom', expression, severity: 'error' }, fields);
      assert.equal(finding?.message, `the rule could not be checked: ${reason}`);
      assert.deepEqual([finding.severity, finding.unable], ['warning', '_Rules/SHIP_RULES.md']);
    }
    const pattern = { validation_type: 'regex', applies_to: 'summary', pattern: 'a{1,100}b' };
    assert.deepEqual(told(pattern, { summary: 'x'.repeat(20_001) }), [
      'summary: the rule could not be checked: summary is too long to be matched',
    ]);
  });
});

describe('a rule that no machine checks says why', () => {
  const people = 'it names no check: people and AI read it';
  const cases: [rule: Given, reason: string][] = [
    [{ rule: 'x' }, people],
    [{ validation_type: 'warning' }, people],
    [{ validation_type: 'custom', rule: 'x' }, 'it has no expression: people and AI read it'],
    [{ validation_type: 'custom', expression: ' ' }, 'it has no expression: people and AI read it'],
    [required, 'it names no field to look at'],
    [{ ...range, applies_to: 'speed' }, 'a range rule needs min or max, a number'],
    [{ ...range, applies_to: 'speed', min: 3, max: 2 }, 'min 3 is larger than max 2'],
    [{ ...count, applies_to: 'speed', min_count: -1 }, 'a min_count rule needs min_count, a number'],
    [{ ...count, applies_to: 'speed' }, 'a min_count rule needs min_count, a number'],
    [{ validation_type: 'regex', applies_to: 'speed' }, 'a regex rule needs a pattern'],
    [
      { validation_type: 'oracle' },
      'validation_type "oracle" is none of required_field, range, min_count, regex, reference_exists, custom',
    ],
    [
      { validation_type: 'reference_exists', applies_to: 'crew', reference_type: 'charcter' },
      'it names the type "charcter", which does not exist (did you mean \'character\'?)',
    ],
  ];
  for (const [rule, reason] of cases)
    it(JSON.stringify(rule), () => {
      const { runnable, advisory } = compiledRules(templateWith(rule));
      assert.deepEqual(runnable, []);
      assert.deepEqual(
        advisory.map(({ check }) => check.kind === 'advisory' && check.reason),
        [reason],
      );
    });
});

describe('a rule as it is read', () => {
  const read = (entry: unknown) => readRule(entry, { path: 'p', line: 3, index: 4 });
  const checkOf = (entry: Given): RuleCheck | undefined => read(entry)?.check;

  it('takes what people write', () => {
    assert.equal(read(7), null);
    assert.deepEqual(
      read({
        id: 5,
        rule: ' R ',
        text: 'T',
        priority: ' HIGH ',
        category: ' Own ',
        applies_to: ['a ', '', 5, 'b'],
        field: ' f ',
        message: ' m ',
        severity: 'suggestion',
        enabled: 'off',
        min: 1,
        own: 2,
      }),
      {
        id: '5',
        category: 'own',
        priority: 'high',
        validation_type: null,
        applies_to: ['a', 'b'],
        field: 'f',
        description: 'R',
        message: 'm',
        severity: 'info',
        enabled: false,
        check: { kind: 'range', min: 1, max: null },
        given: { min: 1, own: 2 },
        path: 'p',
        line: 3,
      },
    );
    assert.deepEqual([read({ text: 'T' })?.description, read({})?.id], ['T', 'rule_5']);
    assert.equal(read(' Say It well, a long way on ')?.id, 'say_it_well_a_long_way');
    assert.equal(read({ description: 'x'.repeat(3_000) })?.description.length, 2_000);
    assert.deepEqual(read({ applies_to: ' a , ,b' })?.applies_to, ['a', 'b']);
    assert.deepEqual(read({ validation_type: ' WARNING ' })?.severity, 'warning');
  });

  it('has the check that its keys imply', () => {
    assert.deepEqual(checkOf({ min: ' 2 ', max: '' }), { kind: 'range', min: 2, max: null });
    assert.deepEqual(checkOf({ max: 1 }), { kind: 'range', min: null, max: 1 });
    assert.deepEqual(checkOf({ min_count: 9, min: 1 }), { kind: 'min_count', min_count: 9 });
    assert.deepEqual(checkOf({ pattern: 'a', expression: 'true' }), { kind: 'regex', pattern: 'a' });
    assert.deepEqual(checkOf({ expression: 'true' }), { kind: 'custom', expression: 'true' });
    assert.deepEqual(checkOf({ reference_type: ' Ship ' }), {
      kind: 'reference_exists',
      reference_type: 'ship',
    });
    assert.deepEqual(checkOf({ validation_type: 'Min_Count', min: 0 }), { kind: 'min_count', min_count: 0 });
    assert.deepEqual(checkOf({ validation_type: 'range', min: 1, max: 1 }), {
      kind: 'range',
      min: 1,
      max: 1,
    });
  });

  it('binds an entity if it is an error about references', () => {
    const binding = (severity: string, kind: string) =>
      bindingReferenceRules(templateWith({ validation_type: kind, applies_to: 'crew', severity, min: 1 }))
        .length;
    assert.deepEqual(
      [
        binding('error', 'reference_exists'),
        binding('warning', 'reference_exists'),
        binding('error', 'range'),
      ],
      [1, 0, 0],
    );
  });
});
