import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  type CloudAnswer,
  EMPTY_PUSH,
  json,
  page,
  pulledEntity,
  startFakeCloud,
} from '../../../test/support/fake-cloud.ts';
import { type Installation, replicasOfSuite, startInstallation } from '../../../test/support/installs.ts';
import { characterText } from '../../../test/support/replication.ts';
import { saveFile } from '../../../test/support/save-file.ts';
import { checksumOf, sha256Hex } from '../../kit/crypto.ts';

const file = (id: string, folder = id) => `Characters/${folder}/CH_${id}.md`;

const cloudEntity = (id: string, more: object = {}) =>
  pulledEntity({
    entity_id: id,
    path: file(id),
    file_checksum: checksumOf(characterText(id)),
    content: characterText(id),
    name: id,
    ...more,
  });

const cloudFile = (path: string, content: string) => ({
  path,
  entry_type: 'other',
  sha256: sha256Hex(content),
  size_bytes: content.length,
  content,
});

describe('what the cloud has no more', () => {
  describe('where something else lies since, or nothing', () => {
    const { hub, one, two, settle } = replicasOfSuite({});
    before(async () => {
      for (const id of ['ann', 'ben', 'cleo', 'dora']) await one.write(file(id), characterText(id));
      await settle();
    });

    const refresh = async () => {
      const { status, text } = await hub.call('POST', '/api/sync/refresh-all', { body: { force: true } });
      assert.equal(status, 200, text);
    };
    const inCloud = async (path: string, text: string) => {
      saveFile(join(hub.contentDir, path), text);
      await refresh();
    };

    test('an entity whose file said another id and is gone by now goes everywhere', async () => {
      await inCloud(file('ann'), characterText('anna'));
      rmSync(join(hub.contentDir, 'Characters/ann'), { recursive: true });
      await refresh();
      await settle();
      assert.ok(!one.tree().has(file('ann')));
    });

    test('an entity whose file lies beside another one’s in its folder, which has the folder since, goes everywhere', async () => {
      await inCloud(file('benny', 'here'), characterText('benny'));
      await settle();
      await inCloud('Characters/here/CH_here.md', characterText('here'));
      await settle();
      assert.deepEqual(
        [
          two.tree().has('Characters/here/CH_here.md'),
          (await two.core.call('GET', '/api/entity/character/benny')).status,
        ],
        [true, 404],
      );
    });
  });

  describe('as a cloud tells of it', () => {
    let cloud: Awaited<ReturnType<typeof startFakeCloud>>;
    let install: Installation;

    before(async () => {
      cloud = await startFakeCloud();
      install = await startInstallation({ url: cloud.url, token: 'any' }, {});
    });
    after(async () => {
      cloud.close();
      await install.core.close();
    });

    const answering =
      (pulled: object, pushed: object = {}): CloudAnswer =>
      (request, response) =>
        json(200, request.method === 'GET' ? page(pulled) : { ...EMPTY_PUSH, ...pushed })(request, response);
    const pull = async (pulled: object) => {
      cloud.answers(answering(pulled));
      return install.core.cloudSync.pull(install.project);
    };

    test('what was sent, was never the same there and is not in a list of everything goes here as well', async () => {
      cloud.answers(answering({}));
      await install.sync();
      await install.write(file('eve'), characterText('eve'));
      await install.write('notes/map.txt', 'mine');
      cloud.answers(
        answering(
          {},
          {
            rejected: [
              { entity_type: 'character', entity_id: 'eve', code: 'changed', detail: 'changed since' },
            ],
            files: {
              accepted: [],
              rejected: [
                { path: 'notes/map.txt', code: 'changed', detail: 'changed', sha256: '0'.repeat(64) },
              ],
            },
          },
        ),
      );
      await install.core.cloudSync.pushAll(install.project, { force: true });
      await install.core.cloudSync.pullAll(install.project, { force: true });
      assert.deepEqual(
        [install.tree().has(file('eve')), install.tree().has('notes/map.txt')],
        [false, false],
      );
    });

    test('what the cloud refused as deleted goes also where the list of everything failed to come then', async () => {
      await pull({ cursor: 'a-1-a' });
      await install.write(file('gus'), characterText('gus'));
      const deleted = {
        entity_type: 'character',
        entity_id: 'gus',
        code: 'deleted',
        detail: 'deleted since',
      };
      const refusing =
        (everything: CloudAnswer): CloudAnswer =>
        (request, response) => {
          const isList = request.method === 'GET' && !request.url?.includes('cursor=');
          const changes = answering(
            { complete: false, cursor: 'a-1-a' },
            { cursor: 'a-1-a', rejected: [deleted] },
          );
          return (isList ? everything : changes)(request, response);
        };
      cloud.answers(refusing(json(503, { detail: 'Not now' })));
      const { error } = await install.core.cloudSync.pushAll(install.project, { force: true });
      assert.ok(error);
      assert.ok(install.tree().has(file('gus')));
      cloud.answers(refusing(json(200, page({ cursor: 'a-1-a' }))));
      const again = await install.core.cloudSync.pushAll(install.project, { force: true });
      assert.deepEqual([again.error, again.deleted_here], [null, 1]);
      assert.ok(!install.tree().has(file('gus')));
      assert.equal((await install.sync()).requests, 1);
    });

    test('what waits to be written and is not in a list of everything is not written any more', async () => {
      const ship = cloudEntity('ark', { entity_type: 'ship', path: 'Ships/ark/SH_ark.md' });
      await pull({ complete: false, entities: [ship], cursor: 'a-2-a' });
      assert.equal((await install.core.cloudSync.status(install.project)).pending.to_write, 1);
      const template =
        '---\nid: ship_template\nentity_type: ship\nfolder_name: Ships\nfile_prefix: SH_\nname: "[Name]"\n---\n';
      await pull({ files: [cloudFile('_Templates/Custom/SHIP_TEMPLATE.md', template)], cursor: 'a-3-a' });
      await pull({ complete: false, cursor: 'a-4-a' });
      assert.ok(!install.tree().has('Ships/ark/SH_ark.md'));
      assert.equal((await install.core.cloudSync.status(install.project)).pending.to_write, 0);
    });

    test('what waits to be moved to where another entity is since goes here as well', async () => {
      await pull({ entities: [cloudEntity('ann')], cursor: 'a-5-a' });
      assert.ok(install.tree().has(file('ann')));
      await install.write(file('own', 'there'), characterText('own'));
      const moved = cloudEntity('ann', { path: file('ann', 'there'), version: 2 });
      await pull({ complete: false, entities: [moved], cursor: 'a-6-a' });
      assert.ok(install.tree().has(file('ann')));
      const other = cloudEntity('anna', { path: file('ann', 'there') });
      await pull({ complete: false, entities: [other], cursor: 'a-7-a' });
      assert.ok(!install.tree().has(file('ann')));
    });

    test('what another one took the place of goes here as well, though the pull broke off after that was told', async () => {
      await pull({ complete: false, entities: [cloudEntity('fay')], cursor: 'b-1-a' });
      assert.ok(install.tree().has(file('fay')));
      const replaced = page({
        complete: false,
        has_more: true,
        entities: [cloudEntity('faye', { path: file('fay') })],
        cursor: 'b-2-a',
      });
      let isAway = true;
      cloud.answers((request, response) => {
        const isNext = request.url?.includes('b-2-a') === true;
        if (isNext && isAway) return json(503, { detail: 'Away' })(request, response);
        const rest = page({ complete: false, cursor: 'b-3-a' });
        return json(200, isNext ? rest : replaced)(request, response);
      });
      assert.ok((await install.core.cloudSync.pull(install.project)).error);
      isAway = false;
      await install.core.cloudSync.pull(install.project);
      assert.deepEqual(
        await Promise.all(
          ['fay', 'faye'].map(
            async (id) => (await install.core.call('GET', `/api/entity/character/${id}`)).status,
          ),
        ),
        [404, 200],
      );
    });
  });
});
