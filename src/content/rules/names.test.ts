import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  isForAllTypes,
  keySlips,
  nameFaults,
  parseRuleSettings,
  parseRules,
  type RuleDocument,
  readRule,
  ruleKeyOfPath,
  rulePath,
  ruleTypeOf,
  slipsIn,
  unknownInSettings,
} from './index.ts';

const TYPES = new Map([
  [
    'ship',
    {
      entity_type: 'ship',
      fields: [
        { name: 'summary' },
        { name: 'crew', properties: [{ name: 'rank' }] },
        { name: 'arc', properties: [] },
      ],
    },
  ],
  ['character', { entity_type: 'character', fields: [{ name: 'wants' }] }],
] as unknown as Iterable<
  [string, Parameters<typeof nameFaults>[2] extends ReadonlyMap<string, infer T> ? T : never]
>);

function ruleOf(given: Record<string, unknown>) {
  const rule = readRule(
    { id: 'r', validation_type: 'required_field', ...given },
    { path: '', line: 1, index: 0 },
  );
  assert.ok(rule);
  return rule;
}

function documentOf(text: string, path = '_Rules/SHIP_RULES.md'): RuleDocument {
  const read = parseRules({ path, text });
  assert.ok(read.ok);
  return read.document;
}

describe('names that a rule uses and nothing has', () => {
  const custom = {
    validation_type: 'custom',
    expression: 'fields.sumary == fields.crew || fields.wnts == 1',
  };
  const reference = { validation_type: 'reference_exists', applies_to: 'crew' };
  const cases: [rule: Record<string, unknown>, fileType: string | null, ...messages: string[]][] = [
    [
      { applies_to: 'sumary' },
      'ship',
      'names "sumary", which is not a field of ship (did you mean \'summary\'?)',
    ],
    [
      { applies_to: 'sumary' },
      null,
      'names "sumary", which is not a field of any type (did you mean \'summary\'?)',
    ],
    [{ applies_to: 'zzz' }, 'ship', 'names "zzz", which is not a field of ship'],
    [{ applies_to: 'wants' }, null],
    [{ applies_to: 'wants' }, 'ship', 'names "wants", which is not a field of ship'],
    [{ applies_to: 'ship, wants' }, null, 'names "wants", which is not a field of ship'],
    [{ applies_to: 'shp' }, null, 'names "shp", which is not a field of any type (did you mean \'ship\'?)'],
    [{ applies_to: 'shp' }, 'ship', 'names "shp", which is not a field of ship'],
    [{ applies_to: 'ship, all, any, *, entity, entities' }, 'ship'],
    [
      { applies_to: 'crew.*.rnak' },
      'ship',
      'names "crew.*.rnak", which is not a field of ship (did you mean \'rank\'?)',
    ],
    [{ applies_to: 'crew.0.rank, crew.rank.deep, arc.any, summary.x' }, 'ship'],
    [
      { applies_to: 'nam, name, crew.nam' },
      'ship',
      'names "nam", which is not a field of ship (did you mean \'name\'?)',
      'names "crew.nam", which is not a field of ship',
    ],
    [
      { field: 'sumary', applies_to: 'ship' },
      'ship',
      'names "sumary", which is not a field of ship (did you mean \'summary\'?)',
    ],
    [
      custom,
      'ship',
      'names "sumary", which is not a field of ship (did you mean \'summary\'?)',
      'names "wnts", which is not a field of ship',
    ],
    [
      { ...reference, reference_type: 'shp' },
      'ship',
      'names the type "shp", which does not exist (did you mean \'ship\'?)',
    ],
    [{ ...reference, reference_type: 'dragon' }, 'ship', 'names the type "dragon", which does not exist'],
    [{ ...reference, reference_type: 'ship' }, 'ship'],
    [{ applies_to: 'sumary' }, 'dragon'],
    [{ applies_to: 'a..b' }, 'ship'],
  ];
  for (const [given, fileType, ...messages] of cases)
    it(`${JSON.stringify(given)} for ${fileType ?? 'all types'}`, () => {
      const rule = ruleOf(given);
      const faults = nameFaults(rule, fileType, TYPES);
      assert.deepEqual(
        faults.map(({ message }) => message),
        messages,
      );
      assert.deepEqual(
        slipsIn(rule, fileType, TYPES).map(({ message }) => message),
        messages.filter((message) => message.includes('did you mean')),
      );
      assert.equal(nameFaults(rule, fileType, TYPES), faults);
    });

  it('say where they stand', () => {
    const keysOf = (given: Record<string, unknown>) =>
      nameFaults(ruleOf(given), 'ship', TYPES).map(({ key, name }) => [key, name]);
    assert.deepEqual(keysOf({ applies_to: 'a', field: 'b' }), [
      ['applies_to', 'a'],
      ['field', 'b'],
    ]);
    assert.deepEqual(keysOf({ ...custom, applies_to: 'c' })[1], ['expression', 'sumary']);
    assert.deepEqual(keysOf({ ...reference, reference_type: 'shp' }), [['reference_type', 'shp']]);
  });

  it('are no slips of a rule for people', () => {
    const rule = ruleOf({ validation_type: '', rule: 'x', applies_to: 'sumary' });
    assert.equal(nameFaults(rule, 'ship', TYPES).length, 1);
    assert.deepEqual(slipsIn(rule, 'ship', TYPES), []);
  });
});

describe('keys that a rule or a file of rules has by a slip', () => {
  it('are near to those that are read', () => {
    const known = [
      ...['id', 'category', 'priority', 'severity', 'validation_type', 'applies_to', 'field', 'description'],
      ...['message', 'min', 'max', 'min_count', 'pattern', 'reference_type', 'expression', 'enabled'],
      ...['rule', 'text', 'executable', 'reason', 'check', 'line', 'file', 'entity_types', 'own'],
    ];
    assert.deepEqual(keySlips(Object.fromEntries(known.map((key) => [key, 1]))), []);
    assert.deepEqual(keySlips({ descripton: 1, mim: 1 }), [
      { key: 'descripton', message: "is not a key of a rule (did you mean 'description'?)" },
      { key: 'mim', message: "is not a key of a rule (did you mean 'min'?)" },
    ]);
  });

  it('are told with their lines, and groups give their rules a category', () => {
    const document = documentOf(`---
ruls: []
enabld: 1
own: 1
system_prompt: 5
rules:
  style:
    - { id: a, rule: x, mim: 1 }
    - { id: b, category: own }
    - text
---

B
`);
    assert.deepEqual(document.problems, [
      {
        message: '"ruls" is not a key of a rule file (did you mean \'rules\'?)',
        severity: 'warning',
        line: 2,
      },
      {
        message: '"enabld" is not a key of a rule file (did you mean \'enabled\'?)',
        severity: 'warning',
        line: 3,
      },
      {
        message: 'rule "a": "mim" is not a key of a rule (did you mean \'min\'?)',
        severity: 'warning',
        line: 8,
      },
    ]);
    assert.deepEqual(
      document.rules.map(({ id, category, line }) => [id, category, line]),
      [
        ['a', 'style', 8],
        ['b', 'own', 9],
        ['text', 'validation', 10],
      ],
    );
    assert.deepEqual([document.body, document.system_prompt], ['B\n', '']);
  });
});

describe('a file of rules', () => {
  it('is for one type or for all, by its name', () => {
    for (const key of [
      'content',
      'generation',
      'image_generation',
      'story',
      'voice_generation',
      'world_lore',
    ])
      assert.deepEqual([isForAllTypes(key), ruleTypeOf(key)], [true, null]);
    assert.deepEqual([isForAllTypes('ship'), ruleTypeOf('ship')], [false, 'ship']);
    assert.equal(rulePath('world_lore'), '_Rules/WORLD_LORE_RULES.md');
    assert.equal(ruleKeyOfPath('_Rules/WORLD_LORE_RULES.md'), 'world_lore');
    for (const path of [
      '_Rules/settings.md',
      'x/_Rules/A_RULES.md',
      '_Rules/x/A_RULES.md',
      '_Rules/A_RULES.txt',
    ])
      assert.equal(ruleKeyOfPath(path), null);
    const lore = documentOf('---\nrules: null\nsystem_prompt: Be kind\n---\n', '_Rules/WORLD_LORE_RULES.md');
    assert.deepEqual([lore.entity_type, lore.system_prompt, lore.rules], [null, 'Be kind', []]);
  });

  it('that cannot be read says where, and one with too many rules which are left out', () => {
    const broken = parseRules({ path: '_Rules/SHIP_RULES.md', text: '---\na: 1\na: 2\n---\n' });
    assert.deepEqual(broken, {
      ok: false,
      problem: { reason: 'the key a appears twice; keep one', line: 3, column: 1 },
    });
    const rules = Array.from({ length: 501 }, (_, id) => `{ id: ${id} }`).join();
    const many = documentOf(`---\nenabled: true\nrules: [${rules}]\n---\n`);
    assert.equal(many.rules.length, 500);
    assert.deepEqual(many.problems, [
      {
        message: 'the file holds 501 rules; those after the first 500 are left out',
        severity: 'error',
        line: 3,
      },
    ]);
    assert.deepEqual(documentOf('---\nrules: [{ id: 0 }, { id: 1 }]\n---\n').problems, []);
  });
});

describe('settings of rules', () => {
  it('that nothing has are told, with what they may mean', () => {
    const documents = [
      documentOf('---\nrules: [{ id: has_want, rule: x }]\n---\n', '_Rules/CHARACTER_RULES.md'),
      documentOf('---\nrules: [{ id: a, rule: x }]\n---\n'),
    ];
    const settings = {
      disabled_files: ['ship', 'shp', 'zzz'],
      disabled_rules: ['ship/a', 'has_want', 'ship/b'],
      rule_severities: { 'charcter/has_want': 'info', 'ship/a': 'info' },
    } as const;
    const unknown = unknownInSettings(
      {
        ...settings,
        disabled_files: [...settings.disabled_files],
        disabled_rules: [...settings.disabled_rules],
      },
      documents,
    );
    assert.deepEqual(
      unknown.map(({ path, message }) => [path.join('.'), message]),
      [
        ['disabled_files.1', 'names "shp", which is not a rule file (did you mean \'ship\'?)'],
        ['disabled_files.2', 'names "zzz", which is not a rule file'],
        ['disabled_rules.1', 'names "has_want", which is not a rule (did you mean \'character/has_want\'?)'],
        ['disabled_rules.2', 'names "ship/b", which is not a rule (did you mean \'ship/a\'?)'],
        [
          'rule_severities.charcter/has_want',
          'names "charcter/has_want", which is not a rule (did you mean \'character/has_want\'?)',
        ],
      ],
    );
    assert.equal(unknown[0]?.name, 'shp');
  });

  it('are read tolerantly, and what is wrong is told with its line', () => {
    const read = parseRuleSettings(`---
enabled: off
disabled_files: [SHIP_RULES, 5]
disabled_rules: no
rule_severities: { ship/a: loud, ship/b: Hint }
severites: 1
own: 2
---
`);
    assert.deepEqual(read, {
      ok: true,
      settings: {
        enabled: false,
        severities: { critical: 'error', high: 'error', medium: 'warning', low: 'info' },
        disabled_files: ['ship'],
        disabled_rules: [],
        rule_severities: { 'ship/b': 'info' },
      },
      problems: [
        {
          message: '"severites" is not a setting (did you mean \'severities\'?)',
          severity: 'warning',
          line: 6,
        },
        {
          message: 'rule_severities.ship/a must be error, warning or info',
          severity: 'warning',
          line: 5,
        },
      ],
    });
    const all =
      'enabled: true\nseverities: {}\ndisabled_files: []\ndisabled_rules: []\nrule_severities: {}\n';
    const quiet = parseRuleSettings(`---\n${all}---\n`);
    assert.deepEqual(quiet.ok && quiet.problems, []);
    assert.deepEqual(parseRuleSettings('---\na: 1\na: 2\n---\n'), {
      ok: false,
      problem: { reason: 'the key a appears twice; keep one', line: 3, column: 1 },
    });
  });
});
