import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { until } from '../../test/support/until.ts';
import { membersOf } from './process-group.mjs';
import { runTestFiles } from './test-process.mjs';
import { failureLines, summaryLine } from './test-summary.mjs';

const folder = mkdtempSync(join(tmpdir(), 'canonry-test-process-'));
after(() => rmSync(folder, { recursive: true }));

/** At most until it prints `END ME`; returns its summary line and output. */
const summaryOf = (name, source, options) => summaryOfAll({ [name]: source }, options);

/** Of files that run in one process, by their names. */
async function summaryOfAll(sources, { isInterrupted = false } = {}) {
  const files = Object.entries(sources).map(([name, source]) => {
    const file = join(folder, `${name}.test.mjs`);
    writeFileSync(file, `import test, { describe, it } from 'node:test';\n${source}`);
    return file;
  });
  const [overdue, interrupted] = [new AbortController(), new AbortController()];
  const printed = [];
  const counts = await runTestFiles(files, {
    overdue: overdue.signal,
    signal: interrupted.signal,
    print: (text) => {
      printed.push(text);
      if (text.endsWith('END ME')) (isInterrupted ? interrupted : overdue).abort();
    },
  });
  return {
    line: summaryLine(counts),
    printed: printed.join('\n'),
    atEnd: failureLines(counts.failures).join('\n'),
  };
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

test('a failing leaf counts once and is printed with place, name and cause', async () => {
  const { line, printed } = await summaryOf(
    'failing',
    `describe('suite', () => { it('breaks', () => { throw new Error('the cause'); }); });`,
  );
  assert.equal(line, '0 passed, 1 failed');
  assert.match(printed, /FAIL .*failing\.test\.mjs:2 suite > breaks\n.*the cause/);
});

test('a cause with any line break is told whole', async () => {
  const { line, atEnd } = await summaryOf(
    'breaks',
    `it('differs', () => { throw new Error('one\\u2028two\\u2029three\\rfour\\nfive'); });`,
  );
  assert.equal(line, '0 passed, 1 failed');
  for (const word of ['one', 'two', 'three', 'four', 'five']) assert.match(atEnd, new RegExp(word));
});

test('the end says each failure in full, then in one line', async () => {
  const { atEnd } = await summaryOf(
    'several',
    `import assert from 'node:assert/strict';
     const many = (at) => Array.from({ length: 150 }, (_, index) => (index === at ? 'odd' : 'item ' + index));
     it('differs', () => assert.deepEqual(many(1), many(140)));
     it('is refused', () => assert.equal(422, 201, 'the reply'));`,
  );
  const [full = '', short = ''] = atEnd.split(/\n\n(?=FAIL \S+ differs: )/);
  assert.match(
    full,
    /differs[\s\S]*expected: [\s\S]*'item 139',\s+'odd'[\s\S]*is refused[\s\S]*actual: +422\n +expected: 201/,
  );
  assert.match(
    short,
    /^FAIL \S+several\.test\.mjs:4 differs: [^\n]+\nFAIL \S+:5 is refused: [^\n]*the reply[^\n]*$/,
  );
});

test('a parent that fails by itself counts as a failure', async () => {
  const { line } = await summaryOf(
    'parent',
    `test('parent', async (t) => { await t.test('fine', () => {}); throw new Error('own'); });`,
  );
  assert.equal(line, '1 passed, 1 failed');
});

test('a file that crashes or declares no test is a failure, told with what it said last', async () => {
  const crashed = await summaryOf('crash', `throw new Error('on load');`);
  assert.equal(crashed.line, '0 passed, 1 failed');
  assert.match(crashed.atEnd, /FAIL \S+crash\.test\.mjs[^\n]*\n[\s\S]*Error: on load/);
  assert.equal((await summaryOf('empty', '')).line, '0 passed, 1 failed');
});

test('files of one process are told apart, and one that breaks does not keep the others from running', async () => {
  const { line, atEnd } = await summaryOfAll({
    broken: `throw new Error('on load');`,
    blank: '',
    good: `describe('suite', () => { it('is fine', () => {}); });`,
    bad: `it('breaks', () => { throw new Error('the cause'); });`,
  });
  assert.equal(line, '1 passed, 3 failed');
  assert.match(atEnd, /FAIL \S+broken\.test\.mjs[\s\S]*on load/);
  assert.match(atEnd, /FAIL \S+blank\.test\.mjs\n +the file declares no test\n/);
  assert.match(atEnd, /FAIL \S+bad\.test\.mjs:2 breaks\n +Error: the cause/);
});

test('a process that ends early is a failure, also without an error', async () => {
  for (const source of [`test('a', () => process.exit());`, `test('a', () => {}); process.exit();`]) {
    const { line, atEnd } = await summaryOf('exits', source);
    assert.equal(line, '0 passed, 1 failed');
    assert.match(atEnd, /the process ended with exit code 0 before all of its tests were over/);
  }
});

test('hooks are no tests, and no test of a process begins before all of its files are loaded', async () => {
  const { line, atEnd } = await summaryOfAll({
    slow: `
      test('is fine', async (t) => { t.after(() => {}); if (!globalThis.isLoaded) throw new Error('too early'); });`,
    hooks: `import { after } from 'node:test'; after(() => {});`,
    late: `await new Promise((resolve) => setTimeout(resolve, 100)); globalThis.isLoaded = true; test('too', () => {});`,
  });
  assert.equal(line, '2 passed, 1 failed');
  assert.match(atEnd, /FAIL \S+hooks\.test\.mjs\n +the file declares no test\n/);
});

test('a test belongs to the file where it is declared while another one runs', async () => {
  const { line, atEnd } = await summaryOf(
    'declared',
    `
    import { createServer } from 'node:http';
    test('first', async () => {
      const server = createServer((_, reply) => reply.end()).listen(0);
      await fetch('http://127.0.0.1:' + server.address().port);
      server.close();
    });
    await new Promise((resolve) => setTimeout(resolve, 1));
    const reply = await fetch('data:,later');
    test('second', () => { throw new Error('seen'); });
  `,
  );
  assert.equal(line, '1 passed, 1 failed');
  assert.match(atEnd, /declared\.test\.mjs:\d+ second\n/);
});

test('an error after the tests, or an end before it, is a failure of the file', async () => {
  const late = await summaryOf(
    'late',
    `test('fine', () => void setTimeout(() => { throw new Error('too late'); }));`,
  );
  assert.equal(late.line, '1 passed, 1 failed');
  assert.match(late.atEnd, /FAIL \S+late\.test\.mjs\n +the process ended with exit code 1\n[\s\S]*too late/);
  const early = await summaryOf(
    'early',
    `test('a', () => {}); test('b', () => process.kill(process.pid, 'SIGKILL'));`,
  );
  assert.match(early.atEnd, /FAIL \S+early\.test\.mjs\n +the process was ended by SIGKILL/);
});

test('an uncaught error fails the test that runs, and does not wait for its end', async () => {
  const { line, atEnd } = await summaryOf(
    'uncaught',
    `
    import { setTimeout as pause } from 'node:timers/promises';
    const timers = [];
    const never = () => new Promise((resolve) => timers.push(setTimeout(resolve, 3_600_000)));
    const breaks = () => void setTimeout(() => { throw new Error('from a timer'); });
    test('before', async () => { await pause(1); });
    test('breaks', async () => { await pause(1); breaks(); await never(); });
    test('rejects', async () => { await pause(1); void pause(1).then(() => { throw new Error('from a promise'); }); await never(); });
    test('after', () => timers.forEach(clearTimeout));
  `,
  );
  assert.equal(line, '2 passed, 2 failed');
  assert.match(atEnd, /uncaught\.test\.mjs:\d+ breaks\n[\s\S]*from a timer/);
  assert.match(atEnd, /uncaught\.test\.mjs:\d+ rejects\n[\s\S]*from a promise/);
});

const HANGING = {
  'in a test that waits': `test('waits', async () => { console.log('END ME'); setInterval(() => {}, 1_000); await new Promise(() => {}); });`,
  'in a loop': `test('loops', () => { process.stdout.write('first\\nEND ME\\n'); for (;;); });`,
  'after its tests': `test('fine', () => {}); setInterval(() => {}, 1_000); setTimeout(() => console.error('END ME'), 100);`,
};
for (const [where, source] of Object.entries(HANGING))
  test(`a file that hangs ${where} is ended and told, with what it said last`, async () => {
    const { line, atEnd } = await summaryOf('hanging', source);
    assert.match(line, /^[01] passed, 1 failed$/);
    assert.match(
      atEnd,
      /FAIL \S+hanging\.test\.mjs\n +the process took too long and was ended[^\n]*\n[\s\S]*END ME/,
    );
  });

test('the test that was open is told', async () => {
  const { atEnd } = await summaryOf(
    'open',
    `
    import { setTimeout as pause } from 'node:timers/promises';
    test('over', () => {});
    describe('suite', () => it('open', async () => { await pause(100); console.log('END ME'); await pause(3_600_000); }));
  `,
  );
  assert.match(atEnd, /was ended, in: suite > open\n/);
});

test('what a file leaves running ends with it', async () => {
  const { printed, line } = await summaryOf(
    'leaving',
    `
    import { spawn } from 'node:child_process';
    test('leaves', () => {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)'], { stdio: 'inherit' });
      console.log('group ' + process.pid);
      child.unref();
    });
  `,
  );
  assert.equal(line, '1 passed, 0 failed');
  const group = Number(/group (\d+)/.exec(printed)?.[1]);
  await until(() => membersOf(group).length === 0);
});

test('an interruption ends a file without a word', async () => {
  const { line } = await summaryOf('interrupted', HANGING['in a loop'], { isInterrupted: true });
  assert.equal(line, '0 passed, 0 failed');
});
