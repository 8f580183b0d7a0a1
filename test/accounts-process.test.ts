import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { startServiceProcess } from './support/service-process.ts';

test('serve --surface accounts: a process of its own whose tokens others check by its published keys', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'canonry-accounts-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const service = await startServiceProcess({ DATA_DIR: folder }, ['--surface', 'accounts']);
  t.after(() => service.end('SIGKILL'));
  const health = await fetch(`${service.url}/health`);
  assert.deepEqual(await health.json(), { status: 'healthy' });
  const reply = await fetch(`${service.url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'mara@example.com', password: 'a long pass phrase' }),
  });
  assert.equal(reply.status, 201);
  const { access_token, user_id } = (await reply.json()) as { access_token: string; user_id: string };
  const keys = createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`));
  const { payload } = await jwtVerify(access_token, keys, { algorithms: ['EdDSA'] });
  assert.deepEqual([payload.sub, payload.tenant_role, payload.plan], [user_id, 'owner', 'free']);
  assert.equal(await service.end('SIGTERM'), 0);
});
