import assert from 'node:assert/strict';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { characterText, hubOfSuite, pathOf, pushed } from '../../../test/support/replication.ts';
import { checksumOf } from '../../kit/crypto.ts';

forEachDatabase((_name, open) => {
  describe('pushed moves', () => {
    const { core, replica } = hubOfSuite({ open });

    const make = async (...ids: string[]) => {
      const { body } = await replica.push(ids.map((id) => pushed(id, characterText(id))));
      assert.deepEqual(body.rejected, []);
    };
    const isThere = (path: string): boolean => existsSync(join(core.contentDir, path));
    const base = (id: string) => ({ base_checksum: checksumOf(characterText(id)) });
    const moved = (id: string, path: string, from = pathOf(id)) =>
      pushed(id, characterText(id), 2, { ...base(id), path, base_path: from });
    const placeOf = (body: Awaited<ReturnType<typeof replica.push>>['body'], id: string) =>
      body.versions[`character/${id}`]?.path;
    const versionOf = async (id: string) =>
      (await core.call<{ version: number }>('GET', `/api/entity/character/${id}`)).body.version;

    test('a folder goes with all that is in it, once, however often the push comes', async () => {
      await make('ann');
      replica.write('Characters/ann/notes/a.txt', 'A note.');
      const push = [moved('ann', 'Characters/queen/CH_ann.md')];
      for (let time = 0; time < 2; time += 1) {
        const { body } = await replica.push(push);
        assert.deepEqual([body.accepted, body.rejected], [['character/ann'], []]);
        assert.equal(placeOf(body, 'ann'), 'Characters/queen/CH_ann.md');
      }
      assert.equal(await versionOf('ann'), 2);
      assert.equal(replica.read('Characters/queen/notes/a.txt'), 'A note.');
      assert.ok(!isThere('Characters/ann'));
    });

    test('with keep_folder the file goes alone, and an emptied folder is no more', async () => {
      await make('ben', 'cleo');
      replica.write('Characters/ben/notes/b.txt', 'A note.');
      const alone = { keep_folder: true };
      await replica.push([
        { ...moved('ben', 'Characters/bench/CH_ben.md'), ...alone },
        { ...moved('cleo', 'Characters/nile/CH_cleo.md'), ...alone },
      ]);
      assert.ok(isThere('Characters/bench/CH_ben.md') && isThere('Characters/ben/notes/b.txt'));
      assert.ok(isThere('Characters/nile/CH_cleo.md') && !isThere('Characters/cleo'));
    });

    test('what lies elsewhere by now, or is to have another one’s place, stays; its text is taken', async () => {
      await make('dora', 'emil');
      const late = moved('dora', 'Characters/late/CH_dora.md', 'Characters/before/CH_dora.md');
      const text = characterText('emil', { age: 44 });
      const { body } = await replica.push([
        late,
        { ...moved('emil', 'Characters/dora/CH_emil.md'), content: text, checksum: checksumOf(text) },
      ]);
      assert.deepEqual(body.rejected, []);
      assert.deepEqual([placeOf(body, 'dora'), placeOf(body, 'emil')], [pathOf('dora'), pathOf('emil')]);
      assert.equal(replica.read(pathOf('emil')), text);
      assert.equal(replica.read(pathOf('dora')), characterText('dora'));
    });

    test('two change places in one push, files of the same name too', async () => {
      await make('finn', 'gus');
      const [one, other] = ['Characters/finn/main.md', 'Characters/gus/main.md'];
      await replica.push([moved('finn', one), moved('gus', other)]);
      const { body } = await replica.push([moved('finn', other, one), moved('gus', one, other)]);
      assert.deepEqual([placeOf(body, 'finn'), placeOf(body, 'gus')], [other, one]);
      assert.deepEqual(
        [replica.read(one), replica.read(other)],
        [characterText('gus'), characterText('finn')],
      );
    });

    test('the place of one whose folder was moved a moment ago, which no sync has seen, is not taken', async () => {
      await make('mia', 'noa');
      renameSync(join(core.contentDir, 'Characters/mia'), join(core.contentDir, 'Characters/away'));
      const { body } = await replica.push([moved('noa', pathOf('mia')), moved('mia', pathOf('noa'))]);
      assert.equal(placeOf(body, 'noa'), pathOf('noa'));
      await core.call('POST', '/api/sync/refresh-all', { body: { force: true } });
      assert.equal(await versionOf('mia'), 2);
      const [mia, noa] = ['Characters/away/CH_mia.md', pathOf('mia')];
      const again = await replica.push([moved('mia', mia, pathOf('noa')), moved('noa', noa)]);
      assert.deepEqual(again.body.rejected, []);
      assert.deepEqual([placeOf(again.body, 'mia'), placeOf(again.body, 'noa')], [mia, noa]);
    });

    test('a path outside of the type’s folder is refused, and nothing moves', async () => {
      await make('hal');
      const { body } = await replica.push([moved('hal', '_Rules/hal/CH_hal.md')]);
      assert.equal(body.rejected[0]?.code, 'invalid_path');
      assert.ok(isThere(pathOf('hal')));
    });

    test('a deletion of what was moved since is refused: who deletes it has not seen that', async () => {
      await make('ida');
      await replica.push([moved('ida', 'Characters/ida_b/CH_ida.md')]);
      const deletion = {
        ...pushed('ida', '', 2),
        content: undefined,
        checksum: undefined,
        ...base('ida'),
        deleted: true,
      };
      const { body } = await replica.push([{ ...deletion, base_path: pathOf('ida') }]);
      assert.equal(body.rejected[0]?.code, 'changed');
      const again = await replica.push([{ ...deletion, base_path: 'Characters/ida_b/CH_ida.md' }]);
      assert.deepEqual(again.body.accepted, ['character/ida']);
    });

    test('what comes new, or back, where another entity lies by now gets a place beside', async () => {
      await make('jon', 'kim');
      const deletion = {
        entity_type: 'character',
        entity_id: 'jon',
        version: 2,
        ...base('jon'),
        deleted: true,
      };
      assert.deepEqual((await replica.push([deletion])).body.accepted, ['character/jon']);
      await replica.push([moved('kim', 'Characters/jon/CH_kim.md')]);
      const text = characterText('jon', { age: 50 });
      const back = await replica.push([
        pushed('jon', text, 2, base('jon')),
        pushed('lea', characterText('lea'), 1, { path: 'Characters/jon/CH_lea.md' }),
      ]);
      assert.deepEqual(back.body.rejected, []);
      assert.deepEqual(
        [placeOf(back.body, 'jon'), placeOf(back.body, 'lea')],
        ['Characters/jon_2/CH_jon.md', pathOf('lea')],
      );
      assert.equal(replica.read('Characters/jon_2/CH_jon.md'), text);
      assert.equal(replica.read('Characters/jon/CH_kim.md'), characterText('kim'));
    });
  });
});
