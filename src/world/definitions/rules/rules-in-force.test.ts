import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { startCore, type TestCore } from '../../../../test/support/core.ts';
import { forEachDatabase } from '../../../../test/support/databases.ts';
import { systemClock } from '../../../kit/clock.ts';
import { silentLog } from '../../../kit/log.ts';
import { createTemplateRegistry } from '../registry/registry.ts';

const RULES = '_Rules/CHARACTER_RULES.md';
const ADA = '---\nid: ada\nname: Ada\nsummary: ""\n---\n\nA life.\n';

const rulesText = (field: string) => `---
rules:
  - id: needed
    priority: high
    validation_type: required_field
    applies_to: ${field}
    description: Say it.
---
`;

interface EntityReply {
  is_valid: boolean;
  version: number;
  validation_errors: { field: string; code: string; rule_id?: string; line?: number; message: string }[];
}

forEachDatabase((_name, open) => {
  let core: TestCore;
  beforeEach(async () => {
    core = await startCore({ open, content: 'templates' });
    rmSync(join(core.contentDir, '_Rules'), { recursive: true, force: true });
    put('Characters/ada/CH_ada.md', ADA);
    put(RULES, rulesText('summary'));
  });
  afterEach(() => core.close());

  const put = (path: string, text: string) => {
    const target = join(core.contentDir, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  };
  const sync = async () => {
    const { status, body, text } = await core.call<{
      rerendered_types: string[];
      invalid: { path: string; line: number }[];
    }>('POST', '/api/sync/refresh-all');
    assert.equal(status, 200, text);
    // New rules cause a sync, which must not import what the next step writes.
    for (const project of core.projects.opened()) await core.mirror.whenSettled(project);
    return body;
  };
  const errors = async () => {
    const { body } = await core.call<EntityReply>('GET', '/api/entity/character/ada');
    return body.validation_errors.map(({ field, code, rule_id, line }) => [field, code, rule_id, line]);
  };

  test('a broken rule of severity error makes an entity invalid, and says where', async () => {
    await sync();
    const { body } = await core.call<EntityReply>('GET', '/api/entity/character/ada');
    assert.equal(body.is_valid, false);
    assert.deepEqual(body.validation_errors, [
      {
        field: 'summary',
        message: 'summary is required and is empty. Say it.',
        code: 'rule',
        line: 4,
        severity: 'error',
        rule_id: 'needed',
      },
    ]);
    const saved = await core.call<EntityReply>('PUT', '/api/entity/character/ada', {
      body: { fields: { summary: 'She counts.' } },
    });
    assert.deepEqual([saved.status, saved.body.is_valid], [200, true]);
  });

  test('entities follow their rules: a file that changes, comes or goes, and the settings', async () => {
    await sync();
    assert.equal((await errors()).length, 1);
    put(RULES, rulesText('markdown_body'));
    assert.deepEqual((await sync()).rerendered_types, ['character']);
    assert.deepEqual(await errors(), []);
    put('_Rules/CONTENT_RULES.md', rulesText('want'));
    assert.ok((await sync()).rerendered_types.includes('character'));
    assert.deepEqual(await errors(), [['want', 'rule', 'needed', 2]]);
    put('_Rules/settings.md', '---\ndisabled_rules: [content/needed]\n---\n');
    await sync();
    assert.deepEqual(await errors(), []);
    rmSync(join(core.contentDir, '_Rules/settings.md'));
    await sync();
    assert.equal((await errors()).length, 1);
    rmSync(join(core.contentDir, '_Rules/CONTENT_RULES.md'));
    await sync();
    assert.deepEqual(await errors(), []);
    assert.equal((await core.call<EntityReply>('GET', '/api/entity/character/ada')).body.version, 1);
  });

  test('a broken rule file is told with its line, and its last good rules hold, over a restart too', async () => {
    await sync();
    put(RULES, '---\nrules:\n  - id: [oops\n---\n');
    const report = await sync();
    assert.deepEqual(
      report.invalid.map(({ path, line }) => [path, line]),
      [[RULES, 4]],
    );
    assert.equal((await errors()).length, 1);
    const [project] = core.projects.opened();
    assert.ok(project);
    const restarted = await createTemplateRegistry({ clock: systemClock, log: silentLog }).of(project);
    const rules = restarted.types.get('character')?.rules;
    assert.deepEqual(
      rules?.map(({ id }) => id),
      ['needed'],
    );
  });
});
