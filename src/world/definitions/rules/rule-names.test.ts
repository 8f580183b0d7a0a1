import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { startCore, type TestCore } from '../../../../test/support/core.ts';
import { forEachDatabase } from '../../../../test/support/databases.ts';
import { saveFile } from '../../../../test/support/save-file.ts';

const RULES = '_Rules/CHARACTER_RULES.md';
const TEXT = `---
rules:
  - id: has_want # the motor
    priority: high
    validation_type: required_field
    applies_to: want
    rule: Everybody wants something
    source_book: The Tide Bible
    weight: { story: 3 }
  - id: height_is_human
    priority: medium
    validation_type: range
    applies_to: [height_cm]
    description: Heights are in centimetres
    min: 40
    max: 250
  - id: some_tags
    validation_type: min_count
    applies_to: tags
    description: Found by its tags
    min_count: 2
---
`;

type Rule = Record<string, unknown> & { id: string };
interface Reply {
  detail: string;
  errors: { field: string; message: string }[];
  rules: Rule[];
  problems: { reason: string; line: number; path: string }[];
}
interface Report {
  findings: { rule_id: string; entity_id: string; severity: string; message: string }[];
  counts: { warning: number };
  advisory: { rule_id: string; reason: string }[];
}

forEachDatabase((_name, open) => {
  let core: TestCore;
  beforeEach(async () => {
    core = await startCore({ open, content: 'templates' });
    rmSync(join(core.contentDir, '_Rules'), { recursive: true, force: true });
    await rules(TEXT);
  });
  afterEach(() => core.close());

  const rules = async (text: string, path = RULES) => {
    saveFile(join(core.contentDir, path), text);
    await core.call('POST', '/api/rules/reload');
  };
  const text = (path = RULES) => readFileSync(join(core.contentDir, path), 'utf8');
  const ask = (method: string, path: string, body?: object) =>
    core.call<Reply>(method, `/api/rules${path}`, { ...(body && { body }) });
  const create = (entity_id: string, fields: object = {}) =>
    core.call('POST', '/api/entity/character', { body: { entity_id, name: entity_id, fields } });

  test('a rule is read with its bounds and with the keys that nobody here knows', async () => {
    const { body } = await ask('GET', '/character');
    const [want, height, tags] = body.rules;
    assert.deepEqual([height?.min, height?.max, height?.min_count], [40, 250, null]);
    assert.deepEqual([tags?.min, tags?.min_count], [null, 2]);
    assert.deepEqual([want?.source_book, want?.weight], ['The Tide Bible', { story: 3 }]);
    const index = await ask('GET', '/index');
    assert.equal(index.body.rules.find(({ id }) => id === 'height_is_human')?.max, 250);
  });

  test('a rule that was read is sent back without a trace, changed in what was changed alone', async () => {
    const { body } = await ask('GET', '/character');
    for (const rule of body.rules) {
      const { status, text: answer } = await ask('PUT', `/character/${rule.id}`, rule);
      assert.equal(status, 200, answer);
    }
    assert.equal(text(), TEXT);
    const [, height] = body.rules;
    await ask('PUT', '/character/height_is_human', { ...height, max: 260 });
    assert.equal(text(), TEXT.replace('max: 250', 'max: 260'));
    await ask('PUT', '/character/height_is_human', { max: null });
    assert.equal(text(), TEXT.replace('    max: 250\n', ''));

    const copied = await ask('POST', '/character', { ...height, id: 'copy' });
    assert.equal(copied.status, 201, copied.text);
    const written = text().slice(text().indexOf('id: copy'));
    assert.doesNotMatch(written, /executable|reason|check|line:|null/);
    assert.match(written, /max: 250/);
  });

  test('names that nothing has are refused with what is near', async () => {
    const base = { id: 'x', description: 'x', validation_type: 'required_field' };
    const cases: [object, string, RegExp][] = [
      [{ ...base, applies_to: 'wnat' }, 'applies_to', /not a field of character \(did you mean 'want'\?\)/],
      [
        { ...base, applies_to: ['want', 'zodiac'] },
        'applies_to',
        /"zodiac", which is not a field of character/,
      ],
      [{ ...base, applies_to: 'stats.bdoy' }, 'applies_to', /did you mean 'body'\?/],
      [{ ...base, field: 'nmae' }, 'field', /did you mean 'name'\?/],
      [
        { ...base, applies_to: 'parents', validation_type: 'reference_exists', reference_type: 'charakter' },
        'reference_type',
        /did you mean 'character'\?/,
      ],
      [
        { id: 'x', description: 'x', validation_type: 'custom', expression: 'fields.hieght_cm > 3' },
        'expression',
        /did you mean 'height_cm'\?/,
      ],
      [{ id: 'x', description: 'x', serverity: 'error' }, 'serverity', /did you mean 'severity'\?/],
    ];
    for (const [rule, field, message] of cases) {
      const { status, body } = await ask('POST', '/character', rule);
      assert.equal(status, 422, JSON.stringify(rule));
      assert.equal(body.errors[0]?.field, field);
      assert.match(body.errors[0]?.message ?? '', message);
    }
    assert.equal((await ask('PUT', '/character/has_want', { applies_to: 'wnat' })).status, 422);
    assert.equal(text(), TEXT);
    const everywhere = { ...base, applies_to: 'chracter' };
    assert.match((await ask('POST', '/content', everywhere)).body.detail, /did you mean 'character'\?/);
    for (const applies_to of ['character', 'want', ['location', 'summary'], 'name'])
      assert.equal(
        (await ask('POST', '/content', { ...base, id: `x_${applies_to}`.replaceAll(',', '_'), applies_to }))
          .status,
        201,
      );
  });

  test('settings name rules and files that there are', async () => {
    const refused: [object, string, RegExp][] = [
      [
        { disabled_rules: ['character/has_wnat'] },
        'disabled_rules.0',
        /did you mean 'character\/has_want'\?/,
      ],
      [{ disabled_rules: ['has_want'] }, 'disabled_rules.0', /did you mean 'character\/has_want'\?/],
      [{ disabled_files: ['charcter'] }, 'disabled_files.0', /did you mean 'character'\?/],
      [
        { rule_severities: { 'character/nothing': 'info' } },
        'rule_severities.character/nothing',
        /not a rule$/,
      ],
    ];
    for (const [patch, field, message] of refused) {
      const { status, body } = await ask('PUT', '/settings', patch);
      assert.equal(status, 422, JSON.stringify(patch));
      assert.equal(body.errors[0]?.field, field);
      assert.match(body.errors[0]?.message ?? '', message);
    }
    await rules(
      '---\ndisabled_file: []\ndisabled_rules:\n  - character/has_want\n  - character/has_wnat\n---\n',
      '_Rules/settings.md',
    );
    const { problems } = (await ask('GET', '')).body;
    assert.deepEqual(
      problems.map(({ path, line }) => [path, line]),
      [
        ['_Rules/settings.md', 2],
        ['_Rules/settings.md', 5],
      ],
    );
    assert.match(
      problems[0]?.reason ?? '',
      /"disabled_file" is not a setting \(did you mean 'disabled_files'\?\)/,
    );
    assert.match(problems[1]?.reason ?? '', /disabled_rules names "character\/has_wnat".*did you mean/);
    const kept = { disabled_rules: ['character/has_wnat', 'character/some_tags'] };
    assert.equal((await ask('PUT', '/settings', kept)).status, 200, 'what stands there may stay');
  });

  test('a slip in a file is told once, with the field that is near, and finds no fault in any entity', async () => {
    const one = (id: string, more: string) =>
      `  - { id: ${id}, priority: high, description: ${id}, ${more} }\n`;
    const file =
      '---\nrules:\n' +
      one('wnat', 'validation_type: required_field, applies_to: wnat') +
      one('tall', 'validation_type: custom, expression: fields.hieght_cm > 3') +
      one('typed', 'vaildation_type: required_field') +
      'sytem_prompt: Be brief.\n---\n';
    await rules(file);
    for (const id of ['ada', 'bo', 'cy']) {
      const { body } = await create(id);
      assert.equal(body.is_valid, true);
    }
    const { body } = await ask('GET', '/character');
    assert.deepEqual(
      body.problems.map(({ reason, line }) => [line, reason.replace(/.*did you mean/, 'did you mean')]),
      [
        [6, "did you mean 'system_prompt'?)"],
        [5, "did you mean 'validation_type'?)"],
        [3, "did you mean 'want'?)"],
        [4, "did you mean 'height_cm'?)"],
      ],
    );
    assert.deepEqual(
      body.rules.map(({ executable }) => executable),
      [true, true, false],
    );
    const report = await core.call<Report>('POST', '/api/rules/validate/character');
    const told = report.body.findings.filter(({ rule_id }) => ['wnat', 'tall'].includes(rule_id));
    assert.deepEqual(told, []);
    const own = await create('dee', { wnat: '', hieght_cm: 2 });
    assert.equal(own.body.is_valid, false, 'an entity that has such a field is looked at');
    assert.match(
      report.body.advisory.find(({ rule_id }) => rule_id === 'wnat')?.reason ?? '',
      /did you mean 'want'/,
    );
  });

  test('a rule that cannot be checked is told once, in plain words, whatever the number of entities', async () => {
    await rules(
      '---\nrules:\n  - { id: taller, priority: high, description: t, validation_type: custom, expression: fields.shoe_size > 3 }\n---\n',
    );
    for (const id of ['ada', 'bo', 'cy']) await create(id);
    const { body } = await core.call<Report>('POST', '/api/rules/validate/character');
    const told = body.findings.filter(({ rule_id }) => rule_id === 'taller');
    assert.equal(told.length, 1);
    assert.equal(body.counts.warning, body.findings.filter(({ severity }) => severity === 'warning').length);
    assert.match(
      told[0]?.message ?? '',
      /^the rule could not be checked: ">" cannot be used between nothing and a whole number; shoe_size is empty \(and so for 2 more/,
    );
  });
});
