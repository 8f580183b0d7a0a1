import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuTimeSince } from '../../../test/support/cpu-time.ts';
import fc from '../../../test/support/properties.ts';
import { parseTemplate, type TemplateDefinition } from '../template/index.ts';
import {
  checkRuleForWrite,
  compiledRules,
  DEFAULT_RULE_SETTINGS,
  parseRuleSettings,
  parseRules,
  type RuleDocument,
  type RuleFinding,
  type RuleSubject,
  ruleKeyOf,
  rulesOfType,
  runRules,
} from './index.ts';
import { VALIDATION_TYPES } from './types.ts';

const parsed = parseTemplate({
  path: '_Templates/Standard/SHIP_TEMPLATE.md',
  text: `---
entity_type: ship
summary: "[One sentence]"
speed: 3
crew: []
captain: null
stages: []
arc: { beginning: "", ending: "" }
field_config:
  captain: { reference_type: character }
---
`,
});
assert.ok(parsed.ok);
const SHIP: TemplateDefinition = parsed.template;
const TYPES = new Map([
  ['ship', SHIP],
  ['character', { ...SHIP, entity_type: 'character' }],
]);

function documentOf(frontmatter: string, path = '_Rules/SHIP_RULES.md'): RuleDocument {
  const read = parseRules({ path, text: `---\n${frontmatter}\n---\n\nFor people.\n` });
  assert.ok(read.ok, JSON.stringify(read));
  return read.document;
}

function templateWith(
  frontmatter: string,
  path?: string,
  settings = DEFAULT_RULE_SETTINGS,
): TemplateDefinition {
  return { ...SHIP, rules: rulesOfType(SHIP, [documentOf(frontmatter, path)], settings, TYPES) };
}

const subjectOf = (fields: Record<string, unknown>, body = ''): RuleSubject => ({
  entity_type: 'ship',
  entity_id: 'gull',
  name: 'The Gull',
  status: 'draft',
  fields: { summary: '', speed: 3, crew: [], captain: null, stages: [], arc: {}, ...fields },
  markdown_body: body,
  primary_asset: null,
  production_status: null,
});

function findings(
  rules: string,
  fields: Record<string, unknown>,
  exists: (type: string | null, id: string) => boolean = () => true,
): RuleFinding[] {
  return runRules(templateWith(`rules:\n${rules}`), subjectOf(fields), exists);
}

const fieldsOf = (list: readonly RuleFinding[]) => list.map(({ field }) => field);

test('required_field finds what is empty, at every place of a path', () => {
  const rule = (field: string) => `  - { id: r, validation_type: required_field, applies_to: "${field}" }`;
  assert.deepEqual(fieldsOf(findings(rule('summary'), {})), ['summary']);
  assert.deepEqual(fieldsOf(findings(rule('summary'), { summary: '[One sentence]' })), ['summary']);
  assert.deepEqual(fieldsOf(findings(rule('summary'), { summary: 'A boat' })), []);
  assert.deepEqual(fieldsOf(findings(rule('arc.beginning'), {})), ['arc.beginning']);
  const stages = [{ name: 'Calm' }, { name: ' ' }, {}];
  for (const path of ['stages[].name', 'stages.*.name', 'stages.name']) {
    assert.deepEqual(fieldsOf(findings(rule(path), { stages })), ['stages.1.name', 'stages.2.name'], path);
    assert.deepEqual(fieldsOf(findings(rule(path), { stages: [] })), [], path);
  }
  assert.deepEqual(fieldsOf(findings(rule('stages.0.name'), { stages })), []);
  assert.deepEqual(fieldsOf(findings(rule('stages[1].name'), { stages })), ['stages.1.name']);
  assert.deepEqual(fieldsOf(findings(rule('markdown_body'), {})), ['markdown_body']);
});

test('range looks at numbers, at those in lists and at texts that are numbers', () => {
  const rule =
    '  - { id: r, validation_type: range, applies_to: [speed, crew], min: 1, max: 10, message: Too fast }';
  assert.deepEqual(findings(rule, { speed: 10, crew: [1, '2'] }), []);
  assert.deepEqual(fieldsOf(findings(rule, { speed: 0, crew: [1, 11, 'x'] })), ['speed', 'crew.1', 'crew.2']);
  assert.equal(findings(rule, { speed: 0 })[0]?.message, 'Too fast');
});

test('min_count counts entries that say something, and words of a text', () => {
  const rule = (field: string) =>
    `  - { id: r, validation_type: min_count, applies_to: ${field}, min_count: 2 }`;
  assert.equal(
    findings(rule('crew'), { crew: ['ada', ''] })[0]?.message,
    'crew needs at least 2 entries, has 1',
  );
  assert.deepEqual(findings(rule('crew'), { crew: ['ada', 'bo'] }), []);
  assert.equal(findings(rule('crew'), { crew: null }).length, 1);
  assert.deepEqual(findings(rule('summary'), { summary: 'two words' }), []);
});

test('regex runs in RE2, and a pattern outside it is advice with the reason', () => {
  const rule = (pattern: string) =>
    `  - { id: r, validation_type: regex, applies_to: summary, pattern: '${pattern}' }`;
  assert.deepEqual(findings(rule('^[A-Z]'), { summary: 'Good' }), []);
  assert.deepEqual(fieldsOf(findings(rule('^[A-Z]'), { summary: 'bad' })), ['summary']);
  const refused = documentOf(`rules:\n${rule('(?=x)y')}`);
  assert.equal(refused.rules[0]?.check.kind, 'advisory');
  assert.match(refused.problems[0]?.message ?? '', /lookahead/);
  assert.equal(refused.problems[0]?.line, 3);
});

test('reference_exists takes ids from texts, lists, mappings and links, and the type of the field', () => {
  const rule = '  - { id: r, validation_type: reference_exists, applies_to: [captain, crew] }';
  const asked: [string | null, string][] = [];
  const exists = (type: string | null, id: string) => {
    asked.push([type, id]);
    return id !== 'ghost';
  };
  const fields = { captain: 'ada', crew: ['bo', { id: 'ghost' }, '[[character:cy|Cy]]'] };
  const found = findings(rule, fields, exists);
  assert.deepEqual(asked, [
    ['character', 'ada'],
    [null, 'bo'],
    [null, 'ghost'],
    ['character', 'cy'],
  ]);
  assert.deepEqual(fieldsOf(found), ['crew.1.id']);
});

test('custom rules say what must hold, in CEL', () => {
  const run = (expression: string, fields: Record<string, unknown>) =>
    findings(
      `  - { id: r, validation_type: custom, expression: '${expression}', description: Holds }`,
      fields,
    );
  assert.deepEqual(run('fields.speed > 2 && fields.speed - 1 < 10', {}), []);
  assert.equal(run('fields.speed > 5', {})[0]?.message, 'Holds');
  assert.deepEqual(run('fields.no_such_field == null', {}), []);
  assert.deepEqual(run('size(duplicates(fields.crew)) == 0', { crew: ['a', 'b'] }), []);
  assert.equal(run('size(duplicates(fields.crew)) == 0', { crew: ['a', 'a'] }).length, 1);
  assert.deepEqual(run('matches(name, "^The ") && words(name) == 2', {}), []);
  const [unable] = run('fields.captain > 3', { captain: 'ada' });
  assert.match(unable?.message ?? '', /could not be checked/);
});

test('expressions that could take long are refused, or not run on what is too large for them', () => {
  const refused = (expression: string) => {
    const [fault] = checkRuleForWrite({ id: 'r', description: 'd', validation_type: 'custom', expression });
    return fault?.message ?? '';
  };
  const crew = 'fields.crew';
  assert.match(refused(`${crew}.all(a, ${crew}.all(b, ${crew}.all(c, a == b)))`), /deep/);
  assert.match(refused('body.matches("(a+)+$")'), /matches\(text/);
  assert.match(refused('matches(body, name)'), /quotes/);
  assert.match(refused('cel.bind(a, body, a == a)'), /bind/);
  assert.match(refused('fields.speed + '), /not an expression/);
  assert.match(refused('size(body)'), /true or false/);
  const rule = `  - { id: r, validation_type: custom, expression: '${crew}.all(a, ${crew}.exists(b, a != b))' }`;
  const crewOf2000 = { crew: Array.from({ length: 2_000 }, (_, index) => `sailor ${index}`) };
  const started = process.cpuUsage();
  const [finding] = findings(rule, crewOf2000);
  assert.ok(cpuTimeSince(started) < 200);
  assert.match(finding?.message ?? '', /too long/);
  assert.equal(finding?.severity, 'warning');
});

test('rules as real projects write them', () => {
  const { rules } = documentOf(`rules:
  - id: a
    rule: Ships have names
    priority: critical
    applies_to: ship
    validation_type: warning
  - A sentence for people
  - { id: c, validation_type: suggestion, pattern: "^x", applies_to: summary }
  - { id: d, validation_type: consult_the_oracle, applies_to: summary }`);
  assert.deepEqual(
    rules.map(({ id, description, severity, check }) => [id, description, severity, check.kind]),
    [
      ['a', 'Ships have names', 'warning', 'advisory'],
      ['a_sentence_for_people', 'A sentence for people', null, 'advisory'],
      ['c', '', 'info', 'regex'],
      ['d', '', null, 'advisory'],
    ],
  );
  const template = {
    ...SHIP,
    rules: rulesOfType(SHIP, [documentOf('rules: [{ id: a, rule: b }]')], DEFAULT_RULE_SETTINGS, TYPES),
  };
  assert.deepEqual(
    runRules(template, subjectOf({}), () => true),
    [],
  );
  assert.deepEqual(
    compiledRules(template).advisory.map(({ id }) => id),
    ['a'],
  );
});

test('severity: the one given, else that of the priority, over both that of the settings', () => {
  const rules = `rules:
  - { id: a, priority: critical, validation_type: required_field, applies_to: summary }
  - { id: b, priority: low, validation_type: required_field, applies_to: summary }
  - { id: c, validation_type: required_field, applies_to: summary }
  - { id: d, priority: low, severity: error, validation_type: required_field, applies_to: summary }`;
  const severities = (template: TemplateDefinition) =>
    template.rules.map(({ id, severity }) => [id, severity]);
  assert.deepEqual(severities(templateWith(rules)), [
    ['a', 'error'],
    ['b', 'info'],
    ['c', 'warning'],
    ['d', 'error'],
  ]);
  const text = `---
severities: { low: warning, high: loud }
disabled_rules: [ship/a]
rule_severities: { ship/d: info }
---
`;
  const read = parseRuleSettings(text);
  assert.ok(read.ok);
  assert.match(read.problems[0]?.message ?? '', /severities.high/);
  assert.deepEqual(severities(templateWith(rules, undefined, read.settings)), [
    ['b', 'warning'],
    ['c', 'warning'],
    ['d', 'info'],
  ]);
  const off = { ...DEFAULT_RULE_SETTINGS, disabled_files: ['ship'] };
  assert.deepEqual(severities(templateWith(rules, undefined, off)), []);
});

test('a file for all types speaks of fields that a type has, and of types', () => {
  const rules = `rules:
  - { id: field, validation_type: required_field, applies_to: summary }
  - { id: elsewhere, validation_type: required_field, applies_to: hair_colour }
  - { id: other_type, validation_type: custom, expression: "false", applies_to: character }
  - { id: this_type, validation_type: custom, expression: "false", applies_to: [ship, character] }
  - { id: type_and_field, validation_type: required_field, applies_to: [ship, captain] }
  - { id: type_only, validation_type: required_field, applies_to: [ship] }`;
  const template = templateWith(rules, '_Rules/CONTENT_RULES.md');
  assert.deepEqual(
    template.rules.map(({ id, fields, check }) => [id, fields, check.kind]),
    [
      ['field', ['summary'], 'required_field'],
      ['this_type', [], 'custom'],
      ['type_and_field', ['captain'], 'required_field'],
      ['type_only', [], 'advisory'],
    ],
  );
});

test('what a rule file cannot be is said with its line', () => {
  const broken = parseRules({ path: '_Rules/SHIP_RULES.md', text: '---\nenabled: true\nrules: many\n---\n' });
  assert.deepEqual(broken, {
    ok: false,
    problem: { reason: '`rules` must be a list of rules, each with an id', line: 3, column: 1 },
  });
  const twice = documentOf('rules:\n  - { id: a, rule: x }\n  - { id: a, rule: y }\n  - 7');
  assert.deepEqual(
    twice.problems.map(({ line, severity }) => [line, severity]),
    [
      [4, 'error'],
      [5, 'error'],
    ],
  );
  assert.equal(twice.rules.length, 1);
});

test('names of rule files', () => {
  for (const name of ['style_bible', 'STYLE_BIBLE_RULES', 'STYLE_BIBLE_RULES.md', 'Style_Bible']) {
    assert.equal(ruleKeyOf(name), 'style_bible');
  }
});

const anyJson = fc.jsonValue({ maxDepth: 4 });
const anyRule = fc.record(
  {
    id: fc.oneof(fc.string(), fc.integer()),
    rule: fc.string(),
    priority: fc.constantFrom('critical', 'high', 'low', 'odd'),
    validation_type: fc.constantFrom(...VALIDATION_TYPES, 'error'),
    applies_to: fc.oneof(
      fc.constantFrom('summary', 'stages[].name', 'crew', 'ship', 'a.b.0.c', '..'),
      anyJson,
    ),
    min: fc.oneof(fc.integer(), anyJson),
    max: anyJson,
    min_count: anyJson,
    pattern: fc.oneof(fc.string(), fc.constantFrom('^a', '(a+)+$', '[', '(?<x>a)')),
    expression: fc.oneof(
      fc.string(),
      fc.constantFrom('fields.crew.all(c, c != value)', 'value > 3', 'size(body) > 1', 'fields.arc.x == 1'),
    ),
  },
  { requiredKeys: [] },
);

test('no rule and no entity brings the executor down, and every finding can be told', () => {
  fc.assert(
    fc.property(
      fc.array(anyRule, { maxLength: 6 }),
      anyJson,
      anyJson,
      fc.string(),
      (rules, crew, stages, summary) => {
        const text = `---\n${JSON.stringify({ rules })}\n---\n`;
        const read = parseRules({ path: '_Rules/SHIP_RULES.md', text });
        if (!read.ok) return;
        const applied = rulesOfType(SHIP, [read.document], DEFAULT_RULE_SETTINGS, TYPES);
        const template = { ...SHIP, rules: applied };
        const { runnable, advisory } = compiledRules(template);
        assert.equal(runnable.length + advisory.length, applied.length);
        const runnableIds = new Set(runnable.map(({ rule }) => rule.id));
        for (const finding of runRules(template, subjectOf({ crew, stages, summary }), () => false)) {
          assert.ok(runnableIds.has(finding.kind));
          assert.ok(finding.message.length > 0 && JSON.stringify(finding).length < 10_000);
          assert.ok(['error', 'warning', 'info'].includes(finding.severity));
        }
      },
    ),
    {
      numRuns: 300,
      examples: [
        [
          [
            { applies_to: 'valueOf', expression: 'value == 1' },
            { applies_to: 'toString', validation_type: 'required_field' },
          ],
          {},
          [],
          '',
        ],
      ],
    },
  );
});

test('a rule that may be written is one that runs', () => {
  fc.assert(
    fc.property(anyRule, (given) => {
      const rule = { ...given, description: 'says something' };
      if (checkRuleForWrite(rule).length > 0) return;
      const { rules } = documentOf(JSON.stringify({ rules: [rule] }));
      if (given.validation_type !== undefined) assert.notEqual(rules[0]?.check.kind, 'advisory');
    }),
    { numRuns: 300, examples: [[{ validation_type: 'range', max: { toString: null } }]] },
  );
});

test('a switch that says no is off, as YAML text too', () => {
  for (const [word, isOn] of [
    ['no', false],
    ['Off', false],
    ['"false"', false],
    ['false', false],
    ['yes', true],
    ['true', true],
    ['', true],
  ] as const) {
    const { enabled, rules } = documentOf(`enabled: ${word}\nrules: [{ id: a, rule: x, enabled: ${word} }]`);
    assert.deepEqual([enabled, rules[0]?.enabled], [isOn, isOn], word);
  }
});
