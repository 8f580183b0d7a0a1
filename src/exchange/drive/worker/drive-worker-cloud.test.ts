import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDriveCloud } from '../../../../test/support/drive/drive-cloud.ts';
import { until } from '../../../../test/support/until.ts';

if (process.env.CANONRY_TEST_POSTGRES !== 'off' && process.env.CANONRY_TEST_REDIS !== 'off')
  test('of two cores one at a time runs a round, and the other goes on without the first', async (t) => {
    const { cloud, drive } = await startDriveCloud(t);
    const { accounts, cores } = cloud;
    const [one, other] = cores;
    await accounts.tenants.changeFeatures(accounts.first.tenantId, { cloud_drive: true });
    const { token } = await accounts.person('owner', accounts.first.tenantId);
    const write = async (core: (typeof cores)[number], id: string) => {
      const reply = await core.call('POST', '/api/entity/character', {
        token,
        body: { entity_id: id, name: id },
      });
      assert.equal(reply.status, 201, reply.text);
    };
    const folderId = drive.owner.createFolder(drive.rootId, 'Thistledown');
    await write(one, 'ada');
    await write(other, 'bo');
    const connected = await one.call('POST', '/api/drive-storage/register-desktop-tokens', {
      token,
      body: {
        access_token: drive.token,
        token_expires: new Date(cloud.clock.now() + 3_600_000).toISOString(),
        root_folder_id: folderId,
      },
    });
    assert.equal(connected.status, 200, connected.text);
    const forced = await Promise.all(
      cores.map((core) => core.call('POST', '/api/drive/force-sync', { token })),
    );
    assert.deepEqual(
      forced.map(({ status }) => status),
      [200, 200],
      forced.map(({ text }) => text).join(),
    );
    const paths = () => drive.tree(folderId).map(({ path }) => path);
    assert.equal(new Set(paths()).size, paths().length, 'nothing is there twice');
    for (const id of ['ada', 'bo']) assert.ok(paths().includes(`Characters/${id}/CH_${id}.md`), id);
    for (const { text } of forced) assert.ok(!text.includes(drive.token));

    await one.close();
    await write(other, 'cy');
    await until(() => paths().includes('Characters/cy/CH_cy.md'), paths);
    assert.equal(new Set(paths()).size, paths().length);
  });
