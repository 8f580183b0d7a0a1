import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import type { LogLevel } from '../log.ts';
import { createFileLog, createLogFiles } from './index.ts';

const clock = { now: () => Date.UTC(2026, 2, 4, 5, 6, 7, 890) };
let folder = '';
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'log-')), 'logs');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

const open = (
  level: LogLevel = 'info',
  more: { maxBytes?: number; alsoTo?: { write(text: string): void } } = {},
) => {
  const log = createFileLog({ folder, name: 'backend-api', level, source: 'server', clock, ...more });
  return { log, files: createLogFiles({ folder, flush: log.flush }) };
};
const text = () => readFileSync(join(folder, 'backend-api.log'), 'utf8');

test('a line has time, level, source and message', async () => {
  const { log } = open('debug');
  log.debug('one');
  log.info('two');
  log.warn('three');
  log.child('http').error('four');
  await log.close();
  assert.deepEqual(text().split('\n'), [
    '2026-03-04 05:06:07 | DEBUG | server | one',
    '2026-03-04 05:06:07 | INFO | server | two',
    '2026-03-04 05:06:07 | WARNING | server | three',
    '2026-03-04 05:06:07 | ERROR | http | four',
    '',
  ]);
  assert.equal(statSync(join(folder, 'backend-api.log')).mode & 0o777, 0o600);
});

test('lines below the level are not kept', async () => {
  const { log } = open('warn');
  log.info('quiet');
  log.warn('loud');
  await log.close();
  assert.equal(text().trim().split('\n').length, 1);
});

test('a message stays on its line', async () => {
  const { log } = open();
  log.info('a\nb\r\x1b[31m\u2028\u202e2026-03-04 05:06:07 | ERROR | server | forged');
  await log.close();
  const [line, end] = text().split('\n');
  assert.match(line ?? '', /a\\nb\\r\\u001b\[31m\\u2028\\u202e2026/);
  assert.equal(end, '');
});

test('credentials are masked', async () => {
  const { log } = open();
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
  log.info(`Authorization: Bearer ${jwt}`);
  log.info('GET /api/ws?token=topsecret&x=1 and refresh_token=topsecret');
  log.info('{"password":"topsecret","api_key": "topsecret"}');
  log.info(`token ${jwt} was refused`);
  log.info('postgres://canonry:topsecret@db/canonry');
  log.info('GET /api/auth/validate-invite/cnri_topsecrettopsecret 200');
  log.info('the token: expired 5 minutes ago');
  await log.close();
  assert.ok(!/topsecret|eyJ/.test(text()), text());
  assert.match(text(), /x=1/);
  assert.match(text(), /the token: expired 5 minutes ago/);
});

test('the file is set aside when it is full, and the oldest are dropped', async () => {
  const { log, files } = open('info', { maxBytes: 1000 });
  for (let index = 0; index < 100; index += 1) {
    log.info(`line ${index} ${'x'.repeat(100)}`);
    await log.flush();
  }
  assert.ok(statSync(join(folder, 'backend-api.log')).size <= 1000);
  assert.ok(existsSync(join(folder, 'backend-api.log.3')));
  assert.ok(!existsSync(join(folder, 'backend-api.log.4')));
  const last = await files.read('backend-api', { lines: 15 });
  assert.equal(last.length, 15);
  assert.match(last[0] ?? '', /line 85 /);
  assert.match(last[14] ?? '', /line 99 /);
  await log.close();
});

test('the last lines are read by level and text', async () => {
  const { log, files } = open('debug');
  for (let index = 0; index < 3000; index += 1) {
    log.debug(`noise ${index} ${'ä'.repeat(60)}`);
    if (index % 1000 === 0) log.error(`Failure ${index}`);
    if (index % 500 === 0) log.warn(`warned ${index}`);
  }
  const read = async (query: Parameters<typeof files.read>[1]) =>
    (await files.read('backend-api', query)).map((line) => line.split(' | ')[3]);
  assert.deepEqual(await read({ lines: 2, level: 'error' }), ['Failure 1000', 'Failure 2000']);
  assert.equal((await read({ lines: 100, level: 'warn' })).length, 9);
  assert.deepEqual(await read({ lines: 10, search: 'FAILURE 0' }), ['Failure 0']);
  assert.deepEqual(await read({ lines: 1, search: 'noise 1500' }), [`noise 1500 ${'ä'.repeat(60)}`]);
  assert.equal((await read({ lines: 5000 })).length, 3009);
  await log.close();
});

test('a log can be cleared while it is written', async () => {
  const { log, files } = open();
  log.info('before');
  await files.clear('backend-api');
  assert.deepEqual(await files.read('backend-api', { lines: 10 }), []);
  log.info('after');
  assert.equal((await files.read('backend-api', { lines: 10 })).length, 1);
  assert.ok(!text().includes('\0'));
  await log.close();
});

test('lists the logs that have a file', async () => {
  const { log, files } = open();
  assert.deepEqual(await files.list(), []);
  log.info('here');
  const [file] = await files.list();
  assert.equal(file?.name, 'backend-api');
  assert.equal(file?.size_bytes, Buffer.byteLength(text()));
  assert.match(file?.modified_at ?? '', /^\d{4}-\d\d-\d\dT/);
  appendFileSync(join(folder, 'ai-service.log'), 'x\n');
  appendFileSync(join(folder, 'other.log'), 'x\n');
  assert.deepEqual(
    (await files.list()).map(({ name }) => name),
    ['backend-api', 'ai-service'],
  );
  await log.close();
});

test('reading a log that was never written is empty', async () => {
  const { files } = open();
  assert.deepEqual(await files.read('frontend-studio', { lines: 5 }), []);
});

test('a log that cannot be written says so once and stops nothing', async () => {
  const said: string[] = [];
  const { log } = open('info', { alsoTo: { write: (line) => void said.push(line) } });
  rmSync(folder, { recursive: true });
  log.info('lost');
  await log.flush();
  log.info('lost too');
  await log.flush();
  assert.equal(said.filter((line) => line.includes('cannot be written')).length, 1);
  await log.close();
  assert.ok(!existsSync(folder));
});

test('lines that wait when the process ends are written', () => {
  const script = `
    import { createFileLog } from ${JSON.stringify(join(import.meta.dirname, 'index.ts'))};
    const log = createFileLog({ folder: ${JSON.stringify(folder)}, name: 'backend-api', level: 'info', source: 'end' });
    log.info('last words');
    process.exit(0);`;
  execFileSync(process.execPath, ['--input-type=module', '-e', script]);
  assert.match(text(), /end \| last words\n$/);
});
