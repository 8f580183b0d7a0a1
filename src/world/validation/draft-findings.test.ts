import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';

interface Finding {
  rule_id: string;
  field: string | null;
  severity: string;
  file: string;
  line: number | null;
  finding_id?: string;
  evidence?: { entity_id: string; field: string; file: string; line: number | null }[];
}
interface Checked {
  entity_id: string;
  is_valid: boolean;
  findings: Finding[];
  findings_total: number;
  code?: string;
  detail?: string;
}

const RULES = `---
rules:
  - { id: born_first, priority: high, validation_type: custom, applies_to: death_year, expression: fields.birth_year <= fields.death_year, description: Born first }
  - { id: has_home, priority: medium, validation_type: reference_exists, applies_to: home }
  - { id: has_twin, priority: medium, validation_type: reference_exists, applies_to: twin }
---
`;

forEachDatabase((_name, open) => {
  let core: TestCore;
  before(async () => {
    core = await startCore({ open, content: 'templates', env: { MAX_TEXT_BYTES: '1000000' } });
    rmSync(join(core.contentDir, '_Rules'), { recursive: true });
    const rules = join(core.contentDir, '_Rules/CHARACTER_RULES.md');
    mkdirSync(dirname(rules), { recursive: true });
    writeFileSync(rules, RULES);
    await core.call('POST', '/api/sync/refresh-all');
    await create('character', 'ada', { birth_year: 360, death_year: 401 });
    await create('character', 'bo', { birth_year: 390 });
    await create('location', 'mill', {});
    await create('event', 'siege', { date: '0410-03-04', participants: ['bo'] });
  });
  after(() => core.close());

  const create = async (type: string, id: string, fields: object) => {
    const reply = await core.call('POST', `/api/entity/${type}`, {
      body: { entity_id: id, name: id, fields },
    });
    assert.equal(reply.status, 201, reply.text);
  };
  const check = (body: object) => core.call<Checked>('POST', '/api/validation/draft', { body });
  const checked = async (body: object): Promise<Checked> => {
    const reply = await check(body);
    assert.equal(reply.status, 200, reply.text);
    return reply.body;
  };
  const rulesIn = ({ findings }: Checked) => findings.map(({ rule_id, field }) => [rule_id, field]);

  test('a contradiction that a change would bring has both sides with file and line, and is gone without it', async () => {
    const siege = { entity_type: 'event', entity_id: 'siege' };
    assert.deepEqual((await checked(siege)).findings, []);
    const report = await checked({ ...siege, fields: { participants: ['bo', 'ada'] } });
    assert.deepEqual(rulesIn(report), [['canon.after_end', 'participants.1']]);
    assert.deepEqual([report.is_valid, report.findings_total], [true, 1]);
    const [found] = report.findings;
    const [event, person] = found?.evidence ?? [];
    assert.deepEqual(
      [event?.entity_id, event?.file, event?.line, person?.entity_id, person?.field],
      ['siege', found?.file, found?.line, 'ada', 'death_year'],
    );
    const file = readFileSync(join(core.contentDir, person?.file ?? ''), 'utf8').split('\n');
    assert.match(file[(person?.line ?? 0) - 1] ?? '', /^death_year: 401/);

    const put = await core.call('PUT', '/api/entity/event/siege', {
      body: { fields: { participants: ['ada'] } },
    });
    assert.equal(put.status, 200, put.text);
    const again = await checked({ ...siege });
    assert.equal(again.findings[0]?.finding_id, found?.finding_id, 'what is saved already is found too');
    assert.deepEqual((await checked({ ...siege, fields: { participants: ['bo'] } })).findings, []);
    await core.call('PUT', '/api/entity/event/siege', { body: { fields: { participants: ['bo'] } } });
  });

  test('broken rules and what the template asks are named by field and by the line of the file to come', async () => {
    const ada = { entity_type: 'character', entity_id: 'ada' };
    const fields = { death_year: 300, home: 'nowhere', height_cm: 'tall', brith_year: 1 };
    const report = await checked({ ...ada, fields });
    const own = report.findings.filter(({ rule_id }) => !rule_id.startsWith('canon.'));
    assert.deepEqual(
      own.map(({ rule_id, field }) => [rule_id, field]),
      [
        ['template.refused', 'height_cm'],
        ['born_first', 'death_year'],
        ['has_home', 'home'],
        ['template.unknown_field', 'brith_year'],
      ],
    );
    assert.equal(report.is_valid, false);
    assert.ok(own.every(({ line, rule_id }) => rule_id === 'template.refused' || (line ?? 0) > 1));
    const better = await checked({ ...ada, fields: { home: 'mill' } });
    assert.deepEqual(rulesIn(better), []);
  });

  test('a new entity gets the id that a save would give it, and may refer to itself', async () => {
    const report = await checked({ entity_type: 'character', name: 'Ada', fields: { twin: 'ada_2' } });
    assert.deepEqual([report.entity_id, rulesIn(report)], ['ada_2', [['template.unknown_field', 'twin']]]);
    const other = await checked({ entity_type: 'character', name: 'Ada', fields: { twin: 'nobody' } });
    assert.deepEqual(rulesIn(other)[0], ['has_twin', 'twin']);
    const named = await checked({
      entity_type: 'event',
      entity_id: 'feast',
      name: 'Feast',
      fields: { date: '0420-01-01', participants: ['ada'] },
    });
    assert.deepEqual(rulesIn(named), [['canon.after_end', 'participants.0']]);
  });

  test('an archived draft is out of the canon', async () => {
    const draft = { entity_type: 'event', entity_id: 'siege', fields: { participants: ['ada'] } };
    assert.equal((await checked(draft)).findings.length, 1);
    assert.equal((await checked({ ...draft, status: 'archived' })).findings.length, 0);
  });

  test('accepted contradictions are left out', async () => {
    const draft = { entity_type: 'event', entity_id: 'siege', fields: { participants: ['ada'] } };
    const finding_id = (await checked(draft)).findings[0]?.finding_id;
    await core.call('PUT', '/api/canon/settings', {
      body: { accepted: [{ finding_id, reason: 'A ghost' }] },
    });
    assert.deepEqual((await checked(draft)).findings, []);
    await core.call('PUT', '/api/canon/settings', { body: { accepted: [] } });
  });

  test('what a save refuses is refused, and nothing is ever written', async () => {
    const files = () => readdirSync(core.contentDir, { recursive: true }).map(String).toSorted();
    const before = [files(), readFileSync(join(core.contentDir, 'Characters/ada/CH_ada.md'), 'utf8')];
    const refused: [object, number][] = [
      [{ entity_type: 'nothing', name: 'X' }, 404],
      [{ entity_type: 'character' }, 422],
      [{ entity_type: 'character', entity_id: 'No Id', name: 'X' }, 422],
      [{ entity_type: 'character', name: 'two\nlines' }, 422],
      [{ entity_type: 'character', name: 'X', surprise: 1 }, 422],
      [{ entity_type: 'character', name: 'X', markdown_body: 'x'.repeat(1_000_000) }, 413],
    ];
    for (const [body, status] of refused) {
      const reply = await check(body);
      assert.equal(reply.status, status, reply.text);
    }
    await checked({ entity_type: 'character', entity_id: 'ada', name: 'Other', markdown_body: 'New.\n' });
    await checked({ entity_type: 'character', name: 'Somebody new' });
    assert.deepEqual(
      [files(), readFileSync(join(core.contentDir, 'Characters/ada/CH_ada.md'), 'utf8')],
      before,
    );
    const { body } = await core.call<{ total: number }>('GET', '/api/entity/character/ada/revisions');
    assert.equal(body.total, 1);
  });
});
