import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, run, test } from 'node:test';
import { summarise, summaryLine } from './summary-reporter.mjs';

const folder = mkdtempSync(join(tmpdir(), 'canonry-summary-'));
after(() => rmSync(folder, { recursive: true }));

// The runner refuses to run inside a test file, which it recognises by this variable.
delete process.env.NODE_TEST_CONTEXT;

/** Runs one test file and returns its summary line and what was printed. */
async function summaryOf(name, source) {
  const file = join(folder, `${name}.test.mjs`);
  writeFileSync(file, `import test, { describe, it } from 'node:test';\n${source}`);
  const printed = [];
  const counts = await summarise(run({ files: [file] }), (text) => printed.push(text));
  return { line: summaryLine(counts), printed: printed.join('\n') };
}

test('suites and parents do not count, their leaves do', async () => {
  const { line } = await summaryOf(
    'leaves',
    `describe('suite', () => { it('a', () => {}); it('b', () => {}); });
     test('parent', async (t) => { await t.test('c', () => {}); });
     test('later', { skip: true }, () => {});`,
  );
  assert.equal(line, '3 passed, 0 failed, 1 skipped');
});

test('a failing leaf counts once and is printed with name, place and cause', async () => {
  const { line, printed } = await summaryOf(
    'failing',
    `describe('suite', () => { it('breaks', () => { throw new Error('the cause'); }); });`,
  );
  assert.equal(line, '0 passed, 1 failed');
  assert.match(printed, /FAIL breaks\n.*failing\.test\.mjs:2\n.*the cause/);
});

test('a parent that fails by itself counts as a failure', async () => {
  const { line } = await summaryOf(
    'parent',
    `test('parent', async (t) => { await t.test('fine', () => {}); throw new Error('own'); });`,
  );
  assert.equal(line, '1 passed, 1 failed');
});

test('a file that crashes or declares no test is a failure', async () => {
  assert.equal((await summaryOf('crash', `throw new Error('on load');`)).line, '0 passed, 1 failed');
  assert.equal((await summaryOf('empty', '')).line, '0 passed, 1 failed');
});
