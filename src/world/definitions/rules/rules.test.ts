import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { startCore, type TestCore } from '../../../../test/support/core.ts';
import { forEachDatabase } from '../../../../test/support/databases.ts';
import { saveFile } from '../../../../test/support/save-file.ts';
import { ruleTexts } from './rule-texts.ts';

const RULES = '_Rules/CHARACTER_RULES.md';
const TEXT = `\uFEFF---\r
# What makes a person\r
rules:\r
  - id: has_want   # the motor\r
    priority: high\r
    validation_type: required_field\r
    applies_to: want\r
    rule: "Everybody wants something"\r
\r
  # People read this one\r
  - id: no_heroes\r
    category: style\r
    description: Nobody is a hero to themselves.\r
system_prompt: Be brief.\r
---\r
\r
# Character rules\r
no final newline`;

interface RuleReply {
  checksum: string;
  is_valid: boolean;
  system_prompt: string;
  rules: {
    id: string;
    severity: string;
    executable: boolean;
    enabled: boolean;
    description: string;
    line: number;
  }[];
  problems: { reason: string; line: number }[];
  detail: string;
  errors: { field: string; message: string; line?: number }[];
}

forEachDatabase((_name, open) => {
  let core: TestCore;
  beforeEach(async () => {
    core = await startCore({ open, content: 'templates' });
    rmSync(join(core.contentDir, '_Rules'), { recursive: true, force: true });
    put(RULES, TEXT);
    await core.call('POST', '/api/rules/reload');
  });
  afterEach(() => core.close());

  const put = (path: string, text: string) => saveFile(join(core.contentDir, path), text);
  const text = (path = RULES) => readFileSync(join(core.contentDir, path), 'utf8');
  const ask = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
    core.call<RuleReply>(method, `/api/rules${path}`, { ...(body && { body }), ...(headers && { headers }) });

  test('rule files are listed, read by any of their names, and told apart by what a machine can run', async () => {
    const list = await core.call<{ files: object[] }>('GET', '/api/rules', { token: null });
    assert.equal(list.body.files.length, 1);
    for (const name of ['character', 'CHARACTER_RULES', 'CHARACTER_RULES.md']) {
      const { status, body } = await ask('GET', `/${name}`);
      assert.equal(status, 200);
      assert.deepEqual(
        body.rules.map(({ id, severity, executable, line }) => [id, severity, executable, line]),
        [
          ['has_want', 'error', true, 4],
          ['no_heroes', 'warning', false, 11],
        ],
      );
      assert.equal(body.system_prompt, 'Be brief.');
    }
    assert.equal((await ask('GET', '/dragon')).status, 404);
    assert.equal((await ask('GET', '/story')).status, 404);
    const index = await core.call<{ total: number; executable: number; rules: { entity_types: string[] }[] }>(
      'GET',
      '/api/rules/index',
    );
    assert.deepEqual([index.body.total, index.body.executable], [2, 1]);
    assert.deepEqual(index.body.rules[0]?.entity_types, ['character']);
  });

  test('the markdown comes back byte for byte and is written so', async () => {
    const read = await core.call<{ content: string }>('GET', '/api/rules/character/markdown');
    assert.equal(read.body.content, TEXT);
    const next = TEXT.replace('Be brief.', 'Be kind.');
    const written = await ask(
      'PUT',
      '/character/markdown',
      { content: next },
      { 'if-match': String(read.headers.etag) },
    );
    assert.equal(written.status, 200);
    assert.equal(text(), next);
    const stale = await ask(
      'PUT',
      '/character/markdown',
      { content: TEXT },
      { 'if-match': String(read.headers.etag) },
    );
    assert.equal(stale.status, 412);
  });

  test('a rule is added, changed and taken away in its own lines', async () => {
    const changed = await ask('PUT', '/character/has_want', {
      priority: 'low',
      description: 'They want it badly',
    });
    assert.equal(changed.status, 200, changed.text);
    assert.equal(
      text(),
      TEXT.replace('priority: high', 'priority: low').replace(
        'Everybody wants something',
        'They want it badly',
      ),
    );
    const rule = {
      id: 'tall',
      description: 'In centimetres',
      validation_type: 'range',
      applies_to: 'height_cm',
      max: 300,
    };
    const added = await ask('POST', '/character', rule);
    assert.equal(added.status, 201, added.text);
    assert.deepEqual(
      added.body.rules.map(({ id }) => id),
      ['has_want', 'no_heroes', 'tall'],
    );
    assert.equal((await ask('POST', '/character', rule)).status, 409);
    const removed = await ask('DELETE', '/character/tall');
    assert.equal(removed.status, 200, removed.text);
    assert.equal(
      text(),
      TEXT.replace('priority: high', 'priority: low').replace(
        'Everybody wants something',
        'They want it badly',
      ),
    );
    assert.equal((await ask('DELETE', '/character/tall')).status, 404);
    await ask('PUT', '/character/system-prompt', { system_prompt: 'Be long.' });
    assert.match(text(), /system_prompt: Be long\.\r\n/);
  });

  test('what is no rule is refused with the reason, and nothing is written', async () => {
    const cases: [object, string, RegExp][] = [
      [{ id: 'a b', description: 'x' }, 'id', /letters/],
      [{ id: 'markdown', description: 'x' }, 'id', /route/],
      [{ id: 'x' }, 'description', /say/],
      [{ id: 'x', description: 'x', validation_type: 'magic' }, 'validation_type', /one of/],
      [
        { id: 'x', description: 'x', validation_type: 'range', applies_to: 'a', min: 3, max: 1 },
        'min',
        /larger/,
      ],
      [{ id: 'x', description: 'x', validation_type: 'required_field' }, 'applies_to', /needs the field/],
      [
        { id: 'x', description: 'x', validation_type: 'regex', applies_to: 'a', pattern: '(?=x)' },
        'pattern',
        /lookahead/,
      ],
      [
        { id: 'x', description: 'x', validation_type: 'custom', expression: 'fields.a +' },
        'expression',
        /expression/,
      ],
      [{ id: 'x', description: 'x', enabled: 'no' }, 'enabled', /true or false/],
      [{ id: 'x', description: 'x', message: 5 }, 'message', /text/],
      [{ id: 'x', description: 'x', validation_type: 'required_field', field: 7 }, 'field', /text/],
    ];
    for (const [rule, field, message] of cases) {
      const { status, body } = await ask('POST', '/character', rule);
      assert.equal(status, 422, JSON.stringify(rule));
      assert.equal(body.errors[0]?.field, field);
      assert.match(body.errors[0]?.message ?? '', message);
    }
    const lookahead = TEXT.replace('required_field', 'regex\r\n    pattern: "(?=x)"');
    const { status, body } = await ask('PUT', '/character/markdown', { content: lookahead });
    assert.equal(status, 422);
    assert.match(body.detail, /lookahead.*line 4/);
    assert.equal((await ask('PUT', '/character/markdown', { content: '---\nrules: [\n---\n' })).status, 422);
    assert.equal(text(), TEXT);
  });

  test('a file that cannot be read is replaced only by who says so; its texts can be come back to', async () => {
    const broken = '---\nrules: [oops\n---\n';
    put(RULES, broken);
    const read = await ask('GET', '/character');
    assert.deepEqual(
      [read.body.is_valid, read.body.rules.length, read.body.problems[0]?.line],
      [false, 2, 3],
    );
    assert.equal((await ask('POST', '/character', { id: 'x', description: 'x' })).status, 409);
    assert.equal((await ask('PUT', '/character/markdown', { content: TEXT })).status, 409);
    const shorter = '---\nrules: []\n---\n';
    assert.equal(
      (await ask('PUT', '/character/markdown', { content: shorter, overwrite: true })).status,
      200,
    );
    assert.equal(text(), shorter);
    const { body } = await core.call<{
      revisions: { version: number; source: string; created_by: string | null }[];
    }>('GET', '/api/rules/character/revisions');
    assert.deepEqual(
      body.revisions.map(({ version, source }) => [version, source]),
      [
        [4, 'api'],
        [3, 'file'],
        [2, 'file'],
        [1, 'file'],
      ],
    );
    // The first one is the starter's.
    const contents = [];
    for (const version of [2, 3]) {
      const old = await core.call<{ content: string }>('GET', `/api/rules/character/revisions/${version}`);
      contents.push(old.body.content);
    }
    assert.deepEqual(contents, [TEXT, broken]);
    assert.equal((await ask('GET', '/character/revisions/9')).status, 404);
  });

  test('what a broken file said before is no new text of it', async () => {
    const broken = '---\nrules: [oops\n---\n';
    put(RULES, broken);
    await core.call('POST', '/api/rules/reload');
    const [project] = core.projects.opened();
    assert.ok(project);
    await ruleTexts.keep(project, RULES, broken, '2026-01-01T00:00:00Z');
    await core.call('POST', '/api/rules/reload');
    const { body } = await core.call<{ revisions: { version: number }[] }>(
      'GET',
      '/api/rules/character/revisions',
    );
    assert.deepEqual(
      body.revisions.map(({ version }) => version),
      [3, 2, 1],
    );
    assert.equal((await ask('GET', '/character')).body.rules.length, 2);
  });

  test('a file that is not there yet is made by its first rule', async () => {
    const rule = { id: 'lore', description: 'Lore has a source', category: 'consistency' };
    assert.equal((await ask('POST', '/WORLD_LORE_RULES.md', rule)).status, 201);
    assert.match(text('_Rules/WORLD_LORE_RULES.md'), /id: lore/);
    assert.equal((await ask('GET', '/world_lore')).body.rules[0]?.executable, false);
  });

  test('settings switch rules and change severities, in a file of their own', async () => {
    const saved = await ask('PUT', '/settings', {
      disabled_rules: ['character/no_heroes'],
      severities: { high: 'warning' },
    });
    assert.equal(saved.status, 200, saved.text);
    assert.deepEqual(
      (await ask('GET', '/character')).body.rules.map(({ severity, enabled }) => [severity, enabled]),
      [
        ['warning', true],
        ['warning', false],
      ],
    );
    await ask('PUT', '/settings', { rule_severities: { 'character/has_want': 'info' } });
    const settings = await core.call<{ severities: Record<string, string>; disabled_rules: string[] }>(
      'GET',
      '/api/rules/settings',
    );
    assert.deepEqual([settings.body.severities.high, settings.body.disabled_rules.length], ['warning', 1]);
    assert.match(text('_Rules/settings.md'), /rule_severities/);
    assert.equal((await ask('PUT', '/settings', { severities: { high: 'loud' } })).status, 422);
  });

  test('only admins change rules', async () => {
    const token = await core.registerViewer();
    const { status } = await core.call('PUT', '/api/rules/settings', { token, body: { enabled: false } });
    assert.equal(status, 403);
  });
});
