import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCore } from '../../../test/support/core.ts';

const TOKEN = 'a token for those who collect figures';

test('requests are counted by route for whoever brings the token', async (t) => {
  const core = await startCore({ env: { METRICS_TOKEN: TOKEN } });
  t.after(() => core.close());
  const ask = (authorization?: string) =>
    core.app.inject({ url: '/metrics', headers: authorization ? { authorization } : {} });
  await core.call('GET', '/api/entity/character/nobody');
  await core.app.inject({ url: '/no/such/place' });

  for (const other of [undefined, 'Bearer something else', `Bearer ${core.adminToken}`])
    assert.equal((await ask(other)).statusCode, 401, other);
  const { statusCode, headers, body } = await ask(`Bearer ${TOKEN}`);
  assert.equal(statusCode, 200);
  assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/);
  assert.match(
    body,
    /^http_request_duration_seconds_count\{method="GET",route="\/api\/entity\/:type\/:id",status="404"\} 1$/m,
  );
  assert.match(body, /http_request_duration_seconds_count\{method="GET",route="none",status="404"\} 1/);
  assert.match(body, /^process_resident_memory_bytes \d+$/m);
});

test('nothing is counted unless it is turned on', async (t) => {
  const core = await startCore();
  t.after(() => core.close());
  const reply = await core.app.inject({ url: '/metrics', headers: { authorization: `Bearer ${TOKEN}` } });
  assert.equal(reply.statusCode, 409);
  assert.match(reply.json<{ detail: string }>().detail, /METRICS_TOKEN/);
});
