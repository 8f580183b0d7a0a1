import assert from 'node:assert/strict';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { replicasOfSuite } from '../../../test/support/installs.ts';
import { characterText } from '../../../test/support/replication.ts';
import { saveFile } from '../../../test/support/save-file.ts';
import { until } from '../../../test/support/until.ts';
import { LOCAL_TENANT } from '../../access/local-tenant.ts';
import { DEFAULT_PROJECT } from '../../kit/contract.ts';

const MANY = 60;
const file = (id: string, folder = id) => `Characters/${folder}/CH_${id}.md`;
const note = (folder: string, of: string) => `Characters/${folder}/notes/${of}.txt`;

forEachDatabase((_name, open) => {
  describe('entities that are moved, on two installations and a cloud', () => {
    const { hub, one, two, settle } = replicasOfSuite({ open });

    const people = async (...ids: string[]) => {
      for (const id of ids) {
        await one.write(file(id), characterText(id));
        await one.write(note(id, id), `Of ${id}.`);
      }
      await settle();
    };
    const at = (path: string) =>
      [hub.contentDir, two.core.contentDir].map((dir) => existsSync(join(dir, path)));
    const versionsOf = async ({ core }: { core: TestCore }, id: string): Promise<number[]> => {
      const path = `/api/entity/character/${id}/revisions`;
      const { body } = await core.call<{ revisions: { version: number }[] }>('GET', path);
      return body.revisions.map(({ version }) => version);
    };

    test('a folder that is renamed is renamed everywhere, with all that is in it, and nothing is deleted', async () => {
      await people('ann');
      for (let n = 1; n < MANY; n += 1)
        saveFile(join(one.core.contentDir, note('ann', `${n}`)), `Note ${n}.`);
      await one.write(note('ann', '0'), 'Note 0.');
      await settle();
      const idsOf = async () => {
        const { body } = await hub.call<{ assets: { id: string; path: string }[] }>(
          'GET',
          '/api/assets?limit=200',
        );
        return new Map(body.assets.map(({ id, path }) => [path, id]));
      };
      await until(async () => (await idsOf()).has(note('ann', '7')));
      const id = (await idsOf()).get(note('ann', '7'));

      await one.move(['Characters/ann', 'Characters/queen']);
      const { held } = await one.sync();
      assert.equal(held, null);
      assert.equal((await two.sync()).held, null);
      await settle();

      assert.deepEqual(at(file('ann', 'queen')), [true, true]);
      assert.deepEqual(at('Characters/ann'), [false, false]);
      assert.deepEqual(at('_RecycleBin'), [false, false]);
      await until(async () => (await idsOf()).get(note('queen', '7')) === id);
      assert.deepEqual(await versionsOf({ core: hub }, 'ann'), [2, 1]);
    });

    test('a file that is moved alone leaves what lay beside it', async () => {
      await people('ben');
      await one.move([file('ben'), file('ben', 'bench')]);
      await settle();
      assert.deepEqual(at(file('ben', 'bench')), [true, true]);
      assert.deepEqual(at(note('ben', 'ben')), [true, true]);
    });

    test('a file that is renamed in its folder, and edited, goes everywhere as that', async () => {
      await people('cleo');
      await one.move([file('cleo'), 'Characters/cleo/Cleo.md']);
      await one.write('Characters/cleo/Cleo.md', characterText('cleo', { age: 41 }));
      await settle();
      assert.match(two.read('Characters/cleo/Cleo.md'), /age: 41/);
    });

    test('two folders change places, and so do three of which each takes the next one', async () => {
      await people('dora', 'emil', 'finn', 'gus', 'hal');
      const aside = 'Characters/aside';
      await one.move(
        ['Characters/dora', aside],
        ['Characters/emil', 'Characters/dora'],
        [aside, 'Characters/emil'],
        ['Characters/finn', aside],
        ['Characters/gus', 'Characters/finn'],
        ['Characters/hal', 'Characters/gus'],
        [aside, 'Characters/hal'],
      );
      await settle();
      const places = { dora: 'emil', emil: 'dora', finn: 'hal', gus: 'finn', hal: 'gus' };
      for (const [id, folder] of Object.entries(places)) {
        assert.deepEqual(at(file(id, folder)), [true, true], id);
        assert.equal(two.read(note(folder, id)), `Of ${id}.`);
      }
    });

    test('ids that two files exchange are exchanged everywhere, and what lies beside the files stays', async () => {
      await people('pam', 'quin');
      const [pam, quin] = [one.read(file('pam')), one.read(file('quin'))];
      const exchanged = (text: string, id: string) => text.replace(/^id: .*$/m, `id: ${id}`);
      saveFile(join(one.core.contentDir, file('pam')), exchanged(pam, 'quin'));
      await one.write(file('quin'), exchanged(quin, 'pam'));
      await settle();
      for (const { core } of [{ core: hub }, two]) {
        const { body } = await core.call<{ name: string; version: number }>(
          'GET',
          '/api/entity/character/pam',
        );
        assert.equal(body.name, 'quin');
        assert.ok(body.version > 1, 'its history goes on');
      }
      assert.equal(two.read(file('pam')), exchanged(pam, 'quin'));
      assert.equal(two.read(note('pam', 'pam')), 'Of pam.');
      assert.deepEqual(at('_RecycleBin/Characters'), [false, false]);
    });

    test('who moves it first decides where it lies, and an edit of the other side is kept', async () => {
      await people('ida');
      await one.move(['Characters/ida', 'Characters/first']);
      await one.sync();
      await two.move(['Characters/ida', 'Characters/second']);
      await two.write(file('ida', 'second'), characterText('ida', { age: 7 }));
      await settle();
      assert.deepEqual(at(file('ida', 'first')), [true, true]);
      assert.deepEqual(at('Characters/second'), [false, false]);
      assert.match(one.read(file('ida', 'first')), /age: 7/);
    });

    test('what is edited in the cloud while it is moved here is both', async () => {
      await people('jon');
      const edit = { body: { markdown_body: 'Edited in the cloud.\n' } };
      assert.equal((await hub.call('PUT', '/api/entity/character/jon', edit)).status, 200);
      await one.move(['Characters/jon', 'Characters/jonathan']);
      await settle();
      assert.match(two.read(file('jon', 'jonathan')), /Edited in the cloud/);
    });

    test('what is moved here, of which only that it is gone was seen when its edit comes, is not here twice', async () => {
      await people('kay');
      const edit = { body: { markdown_body: 'Edited in the cloud.\n' } };
      assert.equal((await hub.call('PUT', '/api/entity/character/kay', edit)).status, 200);
      renameSync(join(one.core.contentDir, 'Characters/kay'), join(one.core.contentDir, 'Characters/kayla'));
      await one.core.mirror.sync(one.project, { kind: 'paths', paths: ['Characters/kay'] }, { force: true });
      await one.sync();
      await settle();
      assert.deepEqual([at(file('kay')), at(file('kay', 'kayla'))].flat(), [false, false, true, true]);
      assert.match(two.read(file('kay', 'kayla')), /Edited in the cloud/);
    });

    test('the same in the cloud, when an edit is sent there', async () => {
      await people('lyn');
      const hubProject = await hub.projects.open(LOCAL_TENANT, DEFAULT_PROJECT);
      renameSync(join(hub.contentDir, 'Characters/lyn'), join(hub.contentDir, 'Characters/lynn'));
      await hub.mirror.sync(hubProject, { kind: 'paths', paths: ['Characters/lyn'] }, { force: true });
      await one.write(file('lyn'), characterText('lyn', { age: 7 }));
      await one.sync();
      await settle();
      assert.deepEqual([at(file('lyn')), at(file('lyn', 'lynn'))].flat(), [false, false, true, true]);
      assert.match(two.read(file('lyn', 'lynn')), /age: 7/);
    });

    test('a place that another entity has is not taken: everybody has both, and no file is lost', async () => {
      await people('kim');
      await two.write(file('lea'), characterText('lea'));
      await two.sync();
      await one.move(['Characters/kim', 'Characters/lea']);
      await settle();
      assert.deepEqual(at(file('lea')), [true, true]);
      assert.deepEqual(at(file('kim')), [true, true]);

      await one.write(file('max', 'shared'), characterText('max'));
      await two.write(file('nan', 'shared'), characterText('nan'));
      await settle();
      for (const id of ['max', 'nan'])
        assert.ok(
          [file(id), file(id, 'shared')].some((path) => at(path).every(Boolean)),
          id,
        );
    });

    test('what is moved here and deleted in the cloud comes back at its new place', async () => {
      await people('oda');
      assert.equal((await hub.call('DELETE', '/api/entity/character/oda')).status, 200);
      await one.move(['Characters/oda', 'Characters/oda_b']);
      await settle();
      assert.deepEqual(at(file('oda', 'oda_b')), [true, true]);
      await two.remove('Characters/oda_b');
      await one.move(['Characters/oda_b', 'Characters/oda_c']);
      await one.sync();
      await settle();
      assert.deepEqual(at(file('oda', 'oda_c')), [true, true]);
    });

    test('a move of more than a third of all goes through, there and here', async () => {
      const ids = Array.from({ length: 30 }, (_, n) => `sailor_${n}`);
      for (const id of ids) saveFile(join(one.core.contentDir, file(id)), characterText(id));
      await one.write(file('last'), characterText('last'));
      await settle();
      await one.move(...ids.map((id) => [`Characters/${id}`, `Characters/old_${id}`] as const));
      for (const install of [one, two]) assert.equal((await install.sync()).held, null);
      await settle();
      assert.deepEqual(at(file('sailor_9', 'old_sailor_9')), [true, true]);
    });
  });
});
