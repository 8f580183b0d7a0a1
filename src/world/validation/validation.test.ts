import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import type { ValidationStatus } from './validation.service.ts';
import type { ValidationReport } from './validation-run.ts';

const RULES = `---
rules:
  - { id: born_first, priority: high, validation_type: custom, applies_to: death_year, expression: fields.birth_year <= fields.death_year, description: Born first }
  - { id: has_home, priority: medium, validation_type: reference_exists, applies_to: home }
  - { id: people_read, description: For people }
  - { id: says_much, priority: low, validation_type: min_count, applies_to: markdown_body, min_count: 3 }
---
`;

const ADA = `---
id: ada
name: Ada
birth_year: 400
death_year: 390
height_cm: tall
home: nowhere
---

A life.
`;

forEachDatabase((_name, open) => {
  let core: TestCore;
  beforeEach(async () => {
    core = await startCore({ open, content: 'templates' });
    rmSync(join(core.contentDir, '_Rules'), { recursive: true });
    put('_Rules/CHARACTER_RULES.md', RULES);
    put('Characters/ada/CH_ada.md', ADA);
    put('Characters/bo/CH_bo.md', '---\nid: bo\nname: Bo\n---\n\nA longer life than others.\n');
    await core.call('POST', '/api/sync/refresh-all');
  });
  afterEach(() => core.close());

  const put = (path: string, text: string) => {
    const target = join(core.contentDir, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  };
  const shown = ({ findings }: ValidationReport) =>
    findings.map(({ rule_id, field, severity, value, file, line }) => [
      rule_id,
      field,
      severity,
      value,
      file,
      line,
    ]);

  test('a type, or one entity, with rule and template findings and what no machine runs', async () => {
    const file = 'Characters/ada/CH_ada.md';
    const expected = [
      ['template.wrong_type', 'height_cm', 'error', 'tall', file, 6],
      ['born_first', 'death_year', 'error', 390, file, 5],
      ['has_home', 'home', 'warning', 'nowhere', file, 7],
      ['says_much', 'markdown_body', 'info', 'A life.\n', file, 10],
    ];
    for (const type of ['character', 'CHARACTER_RULES', 'CHARACTER_RULES.md']) {
      const { status, body } = await core.call<ValidationReport>('POST', `/api/rules/validate/${type}`, {
        body: {},
      });
      assert.equal(status, 200);
      assert.deepEqual(shown(body), expected);
      assert.deepEqual([body.checked, body.valid, body.truncated], [2, 1, false]);
      assert.deepEqual(
        body.advisory.map(({ rule_id }) => rule_id),
        ['people_read'],
      );
    }
    const one = await core.call<ValidationReport>('POST', '/api/rules/validate/character', {
      body: { entity_id: 'ada' },
    });
    assert.deepEqual([shown(one.body), one.body.checked, one.body.valid], [expected, 1, 0]);
    const other = { body: { entity_id: 'nobody' } };
    assert.equal((await core.call('POST', '/api/rules/validate/character', other)).status, 404);
    assert.equal((await core.call('POST', '/api/rules/validate/dragon')).status, 404);
  });

  test('a file for all types is checked over all entities by itself', async () => {
    put(
      '_Rules/CONTENT_RULES.md',
      '---\nrules: [{ id: named, validation_type: regex, applies_to: name, pattern: ^B }]\n---\n',
    );
    await core.call('POST', '/api/rules/reload');
    const { body } = await core.call<ValidationReport>('POST', '/api/rules/validate/content');
    assert.deepEqual(
      body.findings.map(({ rule_id, entity_id }) => [rule_id, entity_id]),
      [['named', 'ada']],
    );
    assert.equal(body.checked, 2);
  });

  test('everything at once, told by its status; who asks meanwhile joins', async () => {
    const idle = await core.call<ValidationStatus>('GET', '/api/validation/status');
    assert.equal(idle.body.status, 'idle');
    const [first, second] = await Promise.all([
      core.call<ValidationStatus>('POST', '/api/entity/validate/all'),
      core.call<ValidationStatus>('POST', '/api/entity/validate/all'),
    ]);
    assert.equal(first.status, 200);
    assert.equal(first.body.run_id, second.body.run_id);
    assert.deepEqual(
      [first.body.status, first.body.checked, first.body.valid, first.body.done, first.body.total],
      ['completed', 2, 1, 2, 2],
    );
    assert.equal(first.body.findings_total, 4);
    const later = await core.call<ValidationStatus>('GET', '/api/validation/status');
    assert.deepEqual(later.body, first.body);
    const { by_rule, counts, findings } = first.body;
    const sum = (severity: string) =>
      by_rule.filter((rule) => rule.severity === severity).reduce((total, rule) => total + rule.findings, 0);
    assert.deepEqual({ error: sum('error'), warning: sum('warning'), info: sum('info') }, counts);
    assert.equal(by_rule[0]?.severity, 'error');
    const faults = findings.filter(({ severity }) => severity === 'error');
    assert.ok(faults.length > 0 && faults.length < findings.length);
    const errors = { body: { errors: true } };
    for (const { body } of [
      await core.call<ValidationStatus>('POST', '/api/entity/validate/all', errors),
      await core.call<ValidationStatus>('GET', '/api/validation/status?errors=true'),
      await core.call<ValidationStatus>('POST', '/api/rules/validate/character', errors),
    ]) {
      assert.ok(body.findings.length > 0);
      assert.ok(body.findings.every(({ severity }) => severity === 'error'));
    }
    const started = await core.call<ValidationStatus>('POST', '/api/entity/validate/all', {
      body: { wait: false },
    });
    assert.equal(started.body.status, 'running');
  });

  test('the sample world breaks no rule', async () => {
    const sample = await startCore({ open, content: 'sample' });
    await sample.call('POST', '/api/sync/refresh-all');
    const { body } = await sample.call<ValidationStatus>('POST', '/api/entity/validate/all');
    await sample.close();
    assert.ok(body.checked >= 40 && body.valid === body.checked, JSON.stringify(body.findings.slice(0, 3)));
    assert.equal(body.counts.error, 0);
    assert.ok(body.counts.warning <= 5 && body.advisory.length >= 30);
    assert.ok(body.findings.every(({ message }) => !message.includes('could not be checked')));
  });
});
