import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fillContentFolder } from '../src/surfaces/starter.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { startS3 } from './support/storage/s3-server.ts';

const ACCOUNT = { email: 'writer@example.com', password: 'correct horse battery', display_name: 'Writer' };
const MOVE = '/api/settings/storage/move';

interface Move {
  status: string;
  files_done: number;
}

async function signedIn(service: ServiceProcess, path: 'register' | 'login') {
  const call = async <Body>(method: string, url: string, body?: object, token?: string): Promise<Body> => {
    const reply = await fetch(service.url + url, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    assert.ok(reply.ok, `${method} ${url}: ${reply.status} ${text}`);
    return JSON.parse(text) as Body;
  };
  const { access_token: token } = await call<{ access_token: string }>('POST', `/api/auth/${path}`, ACCOUNT);
  return <Body>(method: string, url: string, body?: object) => call<Body>(method, url, body, token);
}

type Call = Awaited<ReturnType<typeof signedIn>>;

async function checksums(call: Call): Promise<[string, string][]> {
  await call('POST', '/api/entity/sync/all');
  const { entries } = await call<{ entries: { relative_path: string; checksum_sha256: string }[] }>(
    'GET',
    '/api/manifest',
  );
  return entries.map((entry) => [entry.relative_path, entry.checksum_sha256]);
}

test('a move that kill -9 cuts short, again and again, goes on and arrives whole', {
  timeout: 300_000,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'content-move-'));
  const env = {
    DATA_DIR: join(folder, 'data'),
    CONTENT_DIR: join(folder, 'content'),
    ALLOW_PRIVATE_ENDPOINTS: 'true',
  };
  await fillContentFolder(env.CONTENT_DIR, { sample: true });
  const server = await startS3(t);
  let service = await startServiceProcess(env);
  t.after(async () => {
    await service.end('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  let call = await signedIn(service, 'register');
  const before = await checksums(call);
  await call('PUT', '/api/settings/storage', server.place);
  await call('POST', MOVE);
  let earlier = 0;
  for (const share of [0.3, 0.9]) {
    const wanted = server.keys().length + 1;
    while (server.keys().length < Math.max(wanted, before.length * share)) await sleep(5);
    await service.end('SIGKILL');
    service = await startServiceProcess(env);
    call = await signedIn(service, 'login');
    const { files_done } = await call<Move>('GET', MOVE);
    assert.ok(files_done >= earlier, 'what was copied is known');
    earlier = files_done;
  }
  while ((await call<Move>('GET', MOVE)).status === 'copying') await sleep(50);
  assert.equal((await call<Move>('GET', MOVE)).status, 'done');
  assert.deepEqual(await checksums(call), before);
  const stored = server.keys().filter((key) => !key.includes('/.canonry/'));
  assert.ok(before.every(([path]) => stored.includes(`local/default/${path}`)));
  assert.ok(!stored.some((key) => key.includes('_RecycleBin/')), 'nothing of its own was in its way');
});
