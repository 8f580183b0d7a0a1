import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { acquirePidFile, PidFileError } from './pid-file.ts';

let folder = '';
let children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pid-'));
  children = [];
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const pidFile = () => join(folder, 'canonry.pid');

/** Tries to take the lock, reports the outcome and keeps running. */
async function contender(): Promise<{ said: string; child: ChildProcess }> {
  const script = `
    import { acquirePidFile } from ${JSON.stringify(join(import.meta.dirname, 'pid-file.ts'))};
    try { await acquirePidFile(${JSON.stringify(pidFile())}); console.log('held'); }
    catch (error) { console.log(error.message); }
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [chunk] = await once(child.stdout, 'data');
  return { said: String(chunk).trim(), child };
}

test('the file names this process alone and is gone after release', async () => {
  const lock = await acquirePidFile(pidFile());
  assert.equal(readFileSync(pidFile(), 'utf8'), `${process.pid}\n`);
  lock.release();
  assert.deepEqual(readdirSync(folder), []);
});

test('a second process is refused and told why, a killed one is succeeded', async () => {
  const first = await contender();
  assert.equal(first.said, 'held');
  await assert.rejects(acquirePidFile(pidFile()), (error) => {
    assert.ok(error instanceof PidFileError);
    assert.match(error.message, new RegExp(`Process ${first.child.pid} .*${folder}`));
    return true;
  });
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const lock = await acquirePidFile(pidFile());
  assert.equal(readFileSync(pidFile(), 'utf8').trim(), String(process.pid));
  lock.release();
});

test('of many processes that find a stale lock one gets it', async () => {
  writeFileSync(pidFile(), '4194304\n');
  const all = await Promise.all(Array.from({ length: 8 }, contender));
  assert.deepEqual(
    all.filter(({ said }) => said === 'held').length,
    1,
    all.map(({ said }) => said).join('\n'),
  );
});

for (const text of ['', 'not a number', '4194304', String(process.pid)]) {
  test(`a pid file with '${text}' is stale`, async () => {
    writeFileSync(pidFile(), text);
    (await acquirePidFile(pidFile())).release();
  });
}

test('a number that another process has got since is stale', async () => {
  writeFileSync(pidFile(), `${process.ppid}\n`);
  await assert.rejects(acquirePidFile(pidFile()), PidFileError);
  writeFileSync(join(folder, 'canonry.pid.identity'), `${process.ppid} an-earlier-boot 12345\n`);
  (await acquirePidFile(pidFile())).release();
});

test('a takeover that was interrupted long ago does not block', async () => {
  writeFileSync(pidFile(), '4194304\n');
  const takeover = join(folder, 'canonry.pid.takeover');
  writeFileSync(takeover, '4194304\n');
  utimesSync(takeover, 1, 1);
  (await acquirePidFile(pidFile())).release();
  assert.ok(!existsSync(takeover));
});

test('the same process does not get the lock twice', async () => {
  const lock = await acquirePidFile(pidFile());
  await assert.rejects(acquirePidFile(pidFile()), PidFileError);
  lock.release();
});

test('release leaves a lock alone that is not its own', async () => {
  const lock = await acquirePidFile(pidFile());
  writeFileSync(pidFile(), '1\n');
  lock.release();
  assert.ok(existsSync(pidFile()));
});
