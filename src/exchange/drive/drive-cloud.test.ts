import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PUBLIC_URL, startDriveCloud } from '../../../test/support/drive/drive-cloud.ts';

if (process.env.CANONRY_TEST_POSTGRES !== 'off' && process.env.CANONRY_TEST_REDIS !== 'off')
  test('in a cloud each person has a consent of their own, and no tenant learns of the folder of another', async (t) => {
    const { cloud, drive } = await startDriveCloud(t);
    const { accounts, cores } = cloud;
    const [one, other] = cores;
    /** The plan's features are in the token, so that they come before it. */
    const ownerOf = async (tenantId: string) => {
      await accounts.tenants.changeFeatures(tenantId, { cloud_drive: true });
      return accounts.person('owner', tenantId);
    };
    const ada = await ownerOf(accounts.first.tenantId);
    const bob = await ownerOf((await accounts.register()).tenantId);
    const folder = drive.owner.createFolder(drive.rootId, 'Thistledown');
    drive.owner.createFile(folder, 'a.md', 'a');
    const register = (token: string, project = 'secret-world') =>
      one.call('POST', '/api/drive-storage/register-desktop-tokens', {
        token,
        headers: { 'x-project-id': project },
        body: {
          access_token: drive.token,
          token_expires: new Date(cloud.clock.now() + 3_600_000).toISOString(),
          root_folder_id: folder,
        },
      });

    const nobody = await one.call('GET', '/api/drive/status', { token: ada.token });
    assert.deepEqual(
      [nobody.status, nobody.body.connected, nobody.body.configured],
      [200, false, true],
      nobody.text,
    );
    assert.equal(nobody.body.upgrade_url, `${PUBLIC_URL}/api/auth/oauth/google/drive`);
    const files = await other.call('GET', '/api/drive/files', { token: ada.token });
    assert.deepEqual([files.status, files.body.code], [409, 'not_connected']);

    const registered = await register(ada.token);
    assert.equal(registered.status, 200, registered.text);
    // The other core knows it, and the accounts service gives it the tokens.
    const looked = await other.call('POST', '/api/drive-storage/test', {
      token: ada.token,
      headers: { 'x-project-id': 'secret-world' },
    });
    assert.deepEqual([looked.status, looked.body.files_found], [200, 1], looked.text);
    const status = await other.call('GET', '/api/drive-storage/status', {
      token: ada.token,
      headers: { 'x-project-id': 'secret-world' },
    });
    assert.equal(status.body.connected_by, ada.id);
    for (const { text } of [registered, looked, status]) assert.ok(!text.includes(drive.token));

    const refused = await register(bob.token, 'default');
    assert.deepEqual([refused.status, refused.body.code], [409, 'folder_in_use'], refused.text);
    assert.ok(!refused.text.includes('secret-world') && !refused.text.includes(ada.tenantId));
    const theirs = await one.call('GET', '/api/drive-storage/status', { token: bob.token });
    assert.deepEqual([theirs.body.user_has_tokens, theirs.body.root_folder_id], [false, null]);

    const channel = await one.call('POST', '/api/drive/webhook/register', {
      token: ada.token,
      headers: { 'x-project-id': 'secret-world' },
    });
    assert.equal(channel.status, 200, channel.text);
    drive.revoke();
    const revoked = await one.call('GET', '/api/drive/files', { token: ada.token });
    assert.deepEqual([revoked.status, revoked.body.code], [409, 'not_connected'], revoked.text);
  });
