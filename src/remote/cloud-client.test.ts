import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAccounts } from '../../test/support/accounts.ts';
import { listen } from '../../test/support/listen.ts';
import { cloudOpener } from './cloud-client.ts';

test('a session in a cloud is renewed by the accounts service, whose reply differs from that of a core', async (t) => {
  const accounts = await startAccounts();
  t.after(() => accounts.close());
  const url = await listen(accounts);
  const cloud = cloudOpener('admitted')({
    url,
    token: async () => accounts.first.token,
    projectId: 'default',
  });
  const renewed = await cloud.refresh(accounts.first.refreshToken);
  assert.match(renewed.refresh_token, /^cnr_/);
  assert.notEqual(renewed.refresh_token, accounts.first.refreshToken);
  assert.equal(renewed.expires_in, 900);
});
