import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  contradictionFinding,
  fileFinding,
  groupedFindings,
  isAboutField,
  referenceFinding,
  ruleFinding,
  type Severity,
  withoutRepeats,
} from './findings.ts';
import { findingsQueryOf, findingsSearchOf, fitting } from './findings-query.ts';

const rule = (severity: Severity, entity_id = 'mira') =>
  ruleFinding({
    rule_id: 'r',
    entity_type: 'character',
    entity_id,
    field: 'arc.ending',
    severity,
    message: 'No',
    value: null,
    file: 'a.md',
    line: 3,
  });
const side = (entity_id: string, field: string) => ({
  entity_type: 'character',
  entity_id,
  name: entity_id,
  field,
  value: 1,
  file: 'a.md',
  line: 3,
});
const contradiction = contradictionFinding({
  finding_id: '9f2c4e0a6b1d7385',
  kind: 'lineage',
  severity: 'error',
  message: 'No',
  evidence: [side('mira', 'birth_year'), side('ilse', 'birth_year')],
  reason: null,
});
const broken = referenceFinding({
  field: 'markdown_body',
  from: { entity_type: 'event', entity_id: 'flood', name: 'Flood' },
  to_type: null,
  to_id: 'nobody',
  state: 'missing',
  candidates: [],
});
const file = fileFinding({ path: 'Events/x.md', line: 7, reason: 'a tab' });

test('groups stand in their order, the gravest findings first, and empty ones are left out', () => {
  const groups = groupedFindings([broken, rule('info'), rule('error'), file]);
  assert.deepEqual(
    groups.map(({ group, findings }) => [group, findings.map(({ severity }) => severity)]),
    [
      ['files', ['error']],
      ['rules', ['error', 'info']],
      ['references', ['error']],
    ],
  );
});

test('every search of an address leads back to its query, and odd ones to everything', () => {
  const query = {
    group: 'rules' as const,
    severity: 'warning' as const,
    entity: { type: 'character', id: 'a/b&c' },
    isAccepted: true,
  };
  assert.deepEqual(findingsQueryOf(findingsSearchOf(query)), query);
  const everything = { group: null, severity: null, entity: null, isAccepted: false };
  assert.deepEqual(findingsQueryOf('?kind=x&severity=fatal&entity=mira&accepted=1'), everything);
  assert.equal(findingsSearchOf(everything), '');
});

test('filters narrow by kind, severity and either side', () => {
  const all = [contradiction, rule('warning'), broken];
  const nothing = { group: null, severity: null, entity: null };
  assert.deepEqual(fitting(all, nothing), all);
  assert.deepEqual(fitting(all, { ...nothing, group: 'references' }), [broken]);
  assert.deepEqual(fitting(all, { ...nothing, severity: 'warning' }), [all[1]]);
  assert.deepEqual(fitting(all, { ...nothing, entity: { type: 'character', id: 'ilse' } }), [contradiction]);
});

test('a finding is about a field, and about the object that the field stands in', () => {
  const mira = { type: 'character', id: 'mira' };
  assert.ok(isAboutField(rule('error'), mira, 'arc.ending'));
  assert.ok(isAboutField(rule('error'), mira, 'arc'));
  assert.ok(isAboutField(rule('error'), mira, 'arc.ending.tone'));
  assert.ok(!isAboutField(rule('error'), mira, 'arc.end'));
  assert.ok(!isAboutField(rule('error'), { type: 'character', id: 'ilse' }, 'arc'));
});

test('a file that cannot be read is one finding, whoever says so', () => {
  const told = ruleFinding({
    rule_id: 'template.unreadable_file',
    entity_type: 'event',
    entity_id: 'x',
    field: null,
    severity: 'error',
    message: 'a tab',
    value: null,
    file: 'Events/x.md',
    line: 7,
  });
  assert.deepEqual(withoutRepeats([told, file, broken]), [told, broken]);
});
