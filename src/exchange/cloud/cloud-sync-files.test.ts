import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { type Installation, replicasOfSuite } from '../../../test/support/installs.ts';
import { until } from '../../../test/support/until.ts';
import { LOCAL_TENANT } from '../../access/local-tenant.ts';
import { DEFAULT_PROJECT } from '../../kit/contract.ts';
import { sha256Hex } from '../../kit/crypto.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** Too large to be sent inside a push. */
const LARGE = Buffer.concat([PNG, randomBytes(400_000)]);
const SHIP = '_Templates/Custom/SHIP_TEMPLATE.md';
const shipTemplate = (more = '') =>
  `---\nentity_type: ship\nname: ""\nmasts: 3\n${more}---\n\n# Ship\n\nOne.\n\nTwo.\n`;

forEachDatabase((_name, open) => {
  describe('files of two installations and a cloud', () => {
    const { hub, one, two, settle } = replicasOfSuite({ open });

    const bytesAt = (install: Installation, path: string) =>
      readFileSync(join(install.core.contentDir, path));

    test('templates, rules, skills and notes go as they are, and entities of a new type with them', async () => {
      await settle();
      await one.write(SHIP, shipTemplate());
      await one.write(
        'Ships/gull/SHIP_gull.md',
        '---\nid: gull\nentity_type: ship\nname: Gull\n---\n\nA ship.\n',
      );
      await one.write('_Skills/namer.yml', '\uFEFFname: Namer\r\nno final newline');
      await one.write('notes.txt', 'Buy rope.\n');
      await one.write('_Rules/CHARACTER_RULES.md', `${one.read('_Rules/CHARACTER_RULES.md')}\nMore.\n`);
      await settle();
      const reply = await two.core.call<{ name: string }>('GET', '/api/entity/ship/gull');
      assert.deepEqual([reply.status, reply.body.name], [200, 'Gull']);
    });

    test('assets go by their hash, small and large, with what is said of them', async () => {
      await one.write('Ships/gull/images/flag.png', PNG);
      await one.write('Ships/gull/images/sail.png', LARGE);
      await one.write('Assets/map.png', LARGE);
      await one.write('Ships/gull/_assets.yaml', 'images/flag.png:\n  status: approved\n');
      await settle();
      assert.equal(sha256Hex(bytesAt(two, 'Ships/gull/images/sail.png')), sha256Hex(LARGE));
      const { body } = await two.core.call<{ assets: { status: string }[] }>(
        'GET',
        '/api/assets?status=approved',
      );
      assert.equal(body.assets.length, 1);
    });

    test('a file whose folder goes in the cloud as soon as it came is not taken for synced, and sent again', async () => {
      await settle();
      const [first, second] = ['Assets/brief/first.txt', 'Assets/second.txt'];
      for (const path of [first, second]) await one.write(path, path);
      const project = await hub.projects.open(LOCAL_TENANT, DEFAULT_PROJECT);
      let syncing: Promise<unknown> = Promise.resolve();
      await project.database.exclusive(`file ${project.projectId} ${second}`, async () => {
        syncing = one.sync();
        await until(async () => existsSync(join(hub.contentDir, first)));
        rmSync(join(hub.contentDir, 'Assets/brief'), { recursive: true });
      });
      await syncing;
      const { error } = await one.core.cloudSync.pushAll(one.project);
      assert.equal(error, null);
      await settle();
      assert.equal(two.read(first), first);
    });

    test('a large asset in a folder that has no entity goes like a small one', async () => {
      await one.write('Ships/wreck/images/hull.png', Buffer.concat([LARGE, randomBytes(8)]));
      await one.write('notes.txt', 'Buy more rope.\n');
      await settle();
      assert.ok(two.tree().has('Ships/wreck/images/hull.png'));
    });

    test('a rename takes the files of its entity along', async () => {
      const reply = await two.core.call('POST', '/api/rename-entity', {
        body: { entity_type: 'ship', old_id: 'gull', new_id: 'heron' },
      });
      assert.equal(reply.status, 200, reply.text);
      await two.sync();
      await settle();
      assert.ok(existsSync(join(one.core.contentDir, 'Ships/heron/images/sail.png')));
      assert.ok(!existsSync(join(one.core.contentDir, 'Ships/gull')));
    });

    test('two changes of a template are merged, two of another file are both kept', async () => {
      await one.write(SHIP, shipTemplate('crew: 12\n'));
      await two.write(SHIP, shipTemplate().replace('Two.', 'Two, changed.'));
      await one.write('notes.txt', 'Buy rope and tar.\n');
      await two.write('notes.txt', 'Buy sailcloth.\n');
      await one.sync();
      const { kept_copies: copies } = await two.sync();
      await settle();
      assert.equal(one.read(SHIP), shipTemplate('crew: 12\n').replace('Two.', 'Two, changed.'));
      assert.equal(one.read('notes.txt'), 'Buy rope and tar.\n');
      const copy = `notes (conflict ${sha256Hex('Buy sailcloth.\n').slice(0, 8)}).txt`;
      assert.deepEqual(copies, [copy]);
      assert.equal(one.read(copy), 'Buy sailcloth.\n');
    });

    test('a deletion goes to the recycle bin everywhere, and an edit of what was deleted stays', async () => {
      await one.remove('Assets/map.png');
      await two.write('notes.txt', 'Buy rope, tar and pitch.\n');
      await one.remove('notes.txt');
      await settle();
      assert.ok(!two.tree().has('Assets/map.png'));
      assert.equal(one.read('notes.txt'), 'Buy rope, tar and pitch.\n');
    });

    test('what somebody adds to an entity that another one deletes goes with it everywhere', async () => {
      await one.write('Ships/smack/SHIP_smack.md', '---\nid: smack\nentity_type: ship\nname: Smack\n---\n');
      await settle();
      await two.write('Ships/smack/images/flag.png', Buffer.concat([PNG, randomBytes(8)]));
      await two.sync();
      assert.equal((await one.core.call('DELETE', '/api/entity/ship/smack')).status, 200);
      await settle();
      assert.ok(!one.tree().has('Ships/smack/images/flag.png'));
    });

    test('what the cloud deleted lies in the recycle bin here until that is emptied', async () => {
      const bin = join(two.core.contentDir, '_RecycleBin/_files');
      const inBin = () => readdirSync(bin, { recursive: true }).map(String);
      await one.remove('_Skills/namer.yml');
      await settle();
      assert.ok(inBin().some((path) => path.endsWith('_Skills/namer.yml')));
      const { body } = await two.core.call<{ purged: number }>('DELETE', '/api/recycle-bin');
      assert.ok(body.purged > 0);
      assert.deepEqual(inBin(), []);
    });

    test('a file that cannot be read stays where it is, is named, and stops no other', async () => {
      const path = 'Ships/heron/SHIP_heron.md';
      const readable = one.read(path);
      await one.write(path, '---\nid: [heron\n---\n');
      await one.write('notes.txt', 'All bought.\n');
      await one.sync();
      await two.sync();
      assert.equal(two.read('notes.txt'), 'All bought.\n');
      assert.equal(two.read(path), readable);
      const { left } = await one.core.cloudSync.pushAll(one.project);
      assert.match(left[0]?.reason ?? '', /SHIP_heron\.md:\d+ cannot be read/);
      const { changes } = await one.core.cloudSync.queue(one.project, 10);
      assert.match(changes[0]?.problem ?? '', /cannot be read/);
      await one.write(path, readable.replace('A ship.', 'A ship again.'));
      await settle();
      assert.match(readFileSync(join(hub.contentDir, path), 'utf8'), /A ship again/);
    });
  });
});
