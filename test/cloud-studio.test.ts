import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startCloud } from './support/cloud.ts';

const cloud = await startCloud({
  env: { REGISTRATION: 'invite', OAUTH_GITHUB_CLIENT_ID: 'Iv1.1', OAUTH_GITHUB_CLIENT_SECRET: 'a secret' },
});
after(() => cloud.close());

test('a core of the cloud says how people sign in at the accounts service, and holds on to that while it is away', async () => {
  const [core] = cloud.cores;
  const ask = () => core.call('GET', '/api/studio/config', { token: null });
  const { status, body } = await ask();
  assert.equal(status, 200);
  const { version: _, ...config } = body;
  assert.deepEqual(config, {
    deployment: 'cloud',
    first_run: false,
    registration: 'invite',
    providers: ['github'],
    mail: false,
    plugin_origin: 'http://*.localhost',
    ai: true,
    has_session: false,
  });
  await cloud.accounts.app.close();
  cloud.clock.pass(61_000);
  assert.deepEqual((await ask()).body, body);
  const later = await cloud.core();
  const reply = await later.call('GET', '/api/studio/config', { token: null });
  assert.equal(reply.status, 503);
  assert.match(String(reply.body.detail), /accounts service does not answer/);
});
