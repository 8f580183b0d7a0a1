import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { operationsServer } from '../../../test/support/operations.ts';
import { createLogFiles } from '../../kit/log/index.ts';

const folder = await mkdtemp(join(tmpdir(), 'canonry-logs-'));
const file = join(folder, 'backend-api.log');
const app = await operationsServer({ logFiles: createLogFiles({ folder, flush: async () => {} }) });
const LINES = [
  '2026-03-02 10:00:00 | DEBUG | http | GET /health 200',
  '2026-03-02 10:00:01 | INFO | main | Started',
  '2026-03-02 10:00:02 | WARNING | mirror | Sync is late',
  '2026-03-02 10:00:03 | ERROR | mirror | Sync failed',
];

const ask = (
  url: string,
  { token = 'admin', method = 'GET' }: { token?: string; method?: 'GET' | 'POST' } = {},
) => app.inject({ method, url: `/api/services/logs/${url}`, headers: { authorization: `Bearer ${token}` } });

beforeEach(() => writeFile(file, `${LINES.join('\n')}\n`));
after(() => rm(folder, { recursive: true }));

test('the list names the logs that have a file', async () => {
  const { logs } = (await ask('list')).json();
  assert.deepEqual(
    logs.map((log: { name: string }) => log.name),
    ['backend-api'],
  );
});

test('reading gives the last lines, from a level up, with a text', async () => {
  assert.deepEqual((await ask('backend-api')).json(), { log_name: 'backend-api', lines: LINES });
  assert.deepEqual((await ask('backend-api?lines=1')).json().lines, LINES.slice(3));
  assert.deepEqual((await ask('backend-api?search=SYNC&level=error')).json().lines, LINES.slice(3));
});

test('a level may be written as in the log, short, or small', async () => {
  for (const level of ['warning', 'warn', 'WARN', 'WARNING']) {
    assert.deepEqual((await ask(`backend-api?level=${level}`)).json().lines, LINES.slice(2), level);
  }
  assert.equal((await ask('backend-api?level=loud')).statusCode, 422);
});

test('clearing empties the file', async () => {
  const reply = await ask('backend-api/clear', { method: 'POST' });
  assert.equal(reply.statusCode, 200);
  assert.equal(await readFile(file, 'utf8'), '');
  assert.deepEqual((await ask('backend-api')).json().lines, []);
});

test('names that are no log are 404, paths included', async () => {
  for (const name of ['main', '..%2f..%2fetc%2fpasswd', 'backend-api.log']) {
    const reply = await ask(name);
    assert.equal(reply.statusCode, 404, name);
    assert.match(reply.json().detail, /The logs are backend-api, ai-service, frontend-studio/);
  }
});

test('logs are for administrators', async () => {
  for (const token of ['viewer', 'editor']) assert.equal((await ask('list', { token })).statusCode, 403);
  assert.equal((await ask('backend-api/clear', { token: 'editor', method: 'POST' })).statusCode, 403);
  assert.equal(await readFile(file, 'utf8'), `${LINES.join('\n')}\n`);
});
