import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isForAllTypes, parseRules, ruleKeyOf } from '../content/rules/index.ts';
import { packageRoot } from './package-root.ts';

const folder = join(packageRoot(), 'starter', '_Rules');

test('the sixteen starter rule files speak to machines, people and AI, without a fault', async () => {
  const names = await readdir(folder);
  assert.equal(names.length, 16);
  for (const name of names) {
    const text = await readFile(join(folder, name), 'utf8');
    const parsed = parseRules({ path: `_Rules/${name}`, text });
    assert.ok(parsed.ok, `${name}: ${JSON.stringify(parsed)}`);
    const { rules, problems, body, system_prompt } = parsed.document;
    assert.deepEqual(problems, [], name);
    assert.ok(
      rules.some(({ check }) => check.kind !== 'advisory') &&
        rules.some(({ check }) => check.kind === 'advisory'),
    );
    assert.ok(
      rules.every(({ description }) => description !== ''),
      name,
    );
    assert.ok(body.length > 100 && system_prompt.length > 100, name);
  }
  assert.equal(names.filter((name) => isForAllTypes(ruleKeyOf(name))).length, 6);
});
