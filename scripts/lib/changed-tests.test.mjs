import assert from 'node:assert/strict';
import test from 'node:test';
import { testsReachedBy } from './changed-tests.mjs';

const SOURCES = new Map(
  Object.entries({
    'src/kit/clock.ts': '',
    'src/kit/clock.test.ts': "import { now } from './clock.ts';",
    'src/kit/log.ts': "import type { Clock } from './clock.ts';",
    'src/kit/log.test.ts': "import './log.ts';",
    'src/world/scan.ts': "export * from '../kit/clock.ts'; new URL('./scan.worker.ts', import.meta.url);",
    'src/world/scan.worker.ts': "import type { Scan } from './scan.ts';",
    'src/world/scan.test.ts': "const { scan } = await import('./scan.ts');",
    'src/surfaces/starter.ts': "join(packageRoot(), 'starter')",
    'test/starter.test.ts': "import '../src/surfaces/starter.ts';",
    'test/readme.test.ts': `new URL('../README.md', import.meta.url); read(\`../docs/\${name}\`);`,
    'test/runs.test.ts': "spawn(fileURLToPath(new URL('../src/world/scan.ts', import.meta.url)));",
  }),
);
const ALL = [...SOURCES.keys()].filter((file) => file.includes('.test.')).length;
const reachedBy = (...changed) => testsReachedBy(changed, SOURCES).tests;

test('a source is reached through imports, exports and the processes that a test starts', () => {
  assert.deepEqual(reachedBy('src/kit/clock.ts'), [
    'src/kit/clock.test.ts',
    'src/world/scan.test.ts',
    'test/runs.test.ts',
  ]);
  assert.deepEqual(reachedBy('src/world/scan.worker.ts'), ['src/world/scan.test.ts', 'test/runs.test.ts']);
});

test('a test that changed runs, one that is gone does not, and what used a deleted file does', () => {
  assert.deepEqual(reachedBy('src/kit/log.test.ts', 'src/kit/gone.test.ts'), ['src/kit/log.test.ts']);
  const sources = new Map([['src/a.test.ts', "import './gone.ts';"]]);
  assert.deepEqual(testsReachedBy(['src/gone.ts'], sources).tests, ['src/a.test.ts']);
});

test('another file belongs to the sources that name it or a folder above it', () => {
  assert.deepEqual(reachedBy('starter/_Rules/character.md'), ['test/starter.test.ts']);
  assert.deepEqual(reachedBy('README.md'), ['test/readme.test.ts']);
  assert.deepEqual(reachedBy('docs/endpoints.tsv'), ['test/readme.test.ts']);
});

test('prose that nothing names runs nothing; any other such file runs everything', () => {
  assert.deepEqual(reachedBy('ARCHITECTURE.md', 'src/kit/README.md'), []);
  assert.equal(reachedBy('biome.json').length, ALL);
  assert.equal(reachedBy('src/kit/letters.txt', 'src/kit/log.ts').length, ALL);
});

test('packages and the command itself run everything', () => {
  for (const file of ['package-lock.json', 'scripts/test.mjs', 'scripts/lib/run-tests.mjs'])
    assert.deepEqual(testsReachedBy([file], SOURCES).why, `each depends on ${file}`);
});

test('the reason is short', () => {
  assert.equal(testsReachedBy(['src/kit/log.ts'], SOURCES).why, 'they reach src/kit/log.ts');
  const { why } = testsReachedBy(['src/a.ts', 'src/b.ts', 'src/c.ts'], SOURCES);
  assert.equal(why, 'they reach src/a.ts and 2 more');
});
