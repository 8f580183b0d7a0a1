import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { createFaultySyscalls } from '../../../test/support/faulty-files.ts';
import { createLocalFiles } from './adapters/local-files.ts';
import { createLocalScanner } from './adapters/local-scanner.ts';
import { type FileStore, FilesError, type FilesErrorCode, type FileWrite } from './files.ts';
import { isTemporaryName } from './paths.ts';

const oldText = 'the old text, long enough to be told from half of the new one';
const newText = 'THE NEW TEXT, LONG ENOUGH TO BE TOLD FROM HALF OF THE OLD ONE';

interface Operation {
  name: string;
  run(files: FileStore): Promise<unknown>;
  before: Record<string, string>;
  after: Record<string, string>;
}

const before = { 'a/x.md': oldText, 'a/y.md': 'y' };

const operations: Operation[] = [
  {
    name: 'replace',
    run: (files) => files.write('a/x.md', newText),
    before,
    after: { ...before, 'a/x.md': newText },
  },
  {
    name: 'create in new folders',
    run: (files) => files.write('n/e/w.md', newText),
    before,
    after: { ...before, 'n/e/w.md': newText },
  },
  {
    name: 'create if absent',
    run: (files) => files.write('a/z.md', newText, { ifAbsent: true }),
    before,
    after: { ...before, 'a/z.md': newText },
  },
  {
    name: 'move a folder',
    run: (files) => files.move('a', 'b/c'),
    before,
    after: { 'b/c/x.md': oldText, 'b/c/y.md': 'y' },
  },
  {
    name: 'remove a file',
    run: (files) => files.remove('a/y.md'),
    before,
    after: { 'a/x.md': oldText },
  },
  {
    name: 'one of many',
    run: (files) => writeAll(files, [{ path: 'a/x.md', content: newText }]),
    before,
    after: { ...before, 'a/x.md': newText },
  },
  {
    name: 'a new one of many',
    run: (files) => writeAll(files, [{ path: 'n/e/w.md', content: newText, ifAbsent: true }]),
    before,
    after: { ...before, 'n/e/w.md': newText },
  },
  { name: 'remove a folder', run: (files) => files.remove('a'), before, after: {} },
];

describe('a fault at every step leaves the old state or the new one', () => {
  for (const operation of operations) {
    for (const failure of ['crash', 'ENOSPC', 'EIO', 'EROFS']) {
      it(`${operation.name}: ${failure}`, async (t) => {
        const steps = await stepsOf(t, operation);
        assert.ok(steps > 1);
        for (let failAt = 1; failAt <= steps; failAt += 1) {
          const root = makeContent(t, operation.before);
          const { syscalls } = createFaultySyscalls({ failAt, failure });
          const outcome = await operation.run(createLocalFiles({ root, syscalls })).then(
            () => 'done',
            (error: unknown) => error,
          );
          const found = contentOf(root);
          const isNew = equal(found, operation.after);
          assert.ok(isNew || equal(found, operation.before), `step ${failAt}: ${JSON.stringify(found)}`);
          if (outcome === 'done') assert.ok(isNew, `acknowledged, but not there after step ${failAt}`);
          else assert.ok(outcome instanceof FilesError, String(outcome));
          if (failure !== 'crash' && outcome !== 'done') assert.deepEqual(temporaries(root), []);
        }
      });
    }
  }
});

/** With and without a sync of the whole file system. */
for (const whole of [true, false]) {
  describe(`many files at once${whole ? '' : ', each synced by itself'}: at a fault each is old or new`, () => {
    const writes = Array.from({ length: 16 }, (_, n) =>
      n % 2 === 0
        ? { path: `a/${n}.md`, content: newText }
        : { path: `n${n}/e/w.md`, content: newText, ifAbsent: true, newFolder: n % 4 === 1 },
    );
    const olds = Object.fromEntries(
      writes.filter(({ ifAbsent }) => !ifAbsent).map(({ path }) => [path, oldText]),
    );
    const faultyStore = (root: string, failAt: number, failure: string) => {
      const { syscalls, trace } = createFaultySyscalls({ failAt, failure });
      const noWhole = () => Promise.reject(new Error('no such call'));
      return {
        trace,
        files: createLocalFiles({
          root,
          syscalls: whole ? syscalls : { ...syscalls, syncFileSystem: noWhole },
        }),
      };
    };
    for (const failure of ['crash', 'ENOSPC', 'EIO']) {
      it(failure, async (t) => {
        const { trace, files } = faultyStore(makeContent(t, olds), 0, failure);
        await files.writeMany(writes);
        for (let failAt = 1; failAt <= trace.length; failAt += 7) {
          const root = makeContent(t, olds);
          const results = await faultyStore(root, failAt, failure).files.writeMany(writes);
          const found = contentOf(root);
          for (const [n, { path }] of writes.entries()) {
            const allowed = results[n]?.status === 'fulfilled' ? [newText] : [newText, olds[path]];
            assert.ok(allowed.includes(found[path]), `${trace[failAt - 1]}: ${path} is ${found[path]}`);
          }
          // `cleanTemporaryFiles` removes the entries that could not be removed here.
          const isSwept = failure !== 'crash' && !trace[failAt - 1]?.startsWith('unlink');
          if (isSwept) assert.deepEqual(temporaries(root), []);
        }
      });
    }
  });
}

describe('a failed step of a write is told by its code and keeps the old file', () => {
  const cases: [string, FilesErrorCode][] = [
    ['ENOSPC', 'no_space'],
    ['EDQUOT', 'no_space'],
    ['EROFS', 'read_only'],
    ['EACCES', 'no_permission'],
    ['EIO', 'io'],
  ];
  for (const [failure, code] of cases) {
    it(failure, async (t) => {
      const root = makeContent(t, before);
      const { syscalls, trace } = createFaultySyscalls({ failAt: 3, failure });
      const files = createLocalFiles({ root, syscalls });
      await assert.rejects(files.write('a/x.md', newText), { name: 'FilesError', code, path: 'a/x.md' });
      assert.equal(trace[2], 'fsync file');
      assert.deepEqual(contentOf(root), before);
      await files.write('a/x.md', newText);
      assert.equal(contentOf(root)['a/x.md'], newText);
    });
  }
});

it('acknowledges nothing in a new folder whose own sync failed, whoever made it', async (t) => {
  const root = makeContent(t, {});
  const { syscalls, trace } = createFaultySyscalls({ failAt: 6, failure: 'EIO' });
  const files = createLocalFiles({ root, syscalls });
  await assert.rejects(files.write('n/a.md', 'a'), { code: 'io' });
  assert.equal(trace.filter((call) => call === 'fsync folder').length, 1);
  await files.write('n/b.md', 'b');
  assert.equal(trace.filter((call) => call === 'fsync folder').length, 3);
});

async function writeAll(files: FileStore, writes: readonly FileWrite[]): Promise<void> {
  for (const result of await files.writeMany(writes)) if (result.status === 'rejected') throw result.reason;
}

/** How many changing calls the operation makes if nothing fails. */
async function stepsOf(t: TestContext, operation: Operation): Promise<number> {
  const root = makeContent(t, operation.before);
  const { syscalls, trace } = createFaultySyscalls({ failAt: 0, failure: 'crash' });
  await operation.run(createLocalFiles({ root, syscalls }));
  assert.deepEqual(contentOf(root), operation.after);
  return trace.length;
}

function makeContent(t: TestContext, content: Record<string, string>): string {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'canonry-fault-'));
  t.after(() => fs.rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(content)) {
    fs.mkdirSync(path.dirname(`${root}/${name}`), { recursive: true });
    fs.writeFileSync(`${root}/${name}`, text);
  }
  return root;
}

function contentOf(root: string): Record<string, string> {
  const scanner = createLocalScanner({ root });
  const paths = [...scanner.scan()].flatMap((batch) => batch.files.map((file) => file.path)).sort();
  return Object.fromEntries(paths.map((name) => [name, Buffer.from(scanner.readSync(name)).toString()]));
}

function temporaries(root: string): string[] {
  const names = fs.readdirSync(root, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => isTemporaryName(path.basename(name)));
}

function equal(a: Record<string, string>, b: Record<string, string>): boolean {
  const sorted = (record: Record<string, string>) => JSON.stringify(Object.entries(record).sort());
  return sorted(a) === sorted(b);
}
