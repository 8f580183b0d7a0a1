import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { startPeople } from '../../../test/support/people.ts';
import { characterText, hubOfSuite, pathOf, pushed } from '../../../test/support/replication.ts';
import { until } from '../../../test/support/until.ts';
import { LOCAL_TENANT } from '../../access/local-tenant.ts';
import { DEFAULT_PROJECT } from '../../kit/contract.ts';
import { sha256Hex } from '../../kit/crypto.ts';

interface Batch {
  id: string;
  files: { state: string; upload: { url: string } }[];
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const TEMPLATE = '_Templates/Custom/SHIP_TEMPLATE.md';
const template = (more = '') =>
  `---\nentity_type: ship\nname: ""\nmasts: 3\n${more}---\n\n# Ship\n\nOne.\n\nTwo.\n`;

forEachDatabase((_name, open) => {
  describe('pushed files', () => {
    const { core, replica } = hubOfSuite({ open });
    before(async () => {
      await replica.push([pushed('mira', characterText('mira'))]);
    });

    const fileOf = (path: string, content: string, base: string | null = null, more: object = {}) => ({
      path,
      content,
      sha256: sha256Hex(content),
      base_sha256: base === null ? null : sha256Hex(base),
      ...more,
    });
    const pushFiles = async (...files: object[]) => {
      const { status, body } = await replica.push([], { files });
      assert.equal(status, 200, JSON.stringify(body));
      return body.files ?? { accepted: [], rejected: [] };
    };
    const codesOf = ({ rejected }: { rejected: { code: string }[] }) => rejected.map(({ code }) => code);
    const inManifest = async (path: string) =>
      (await core.call<{ checksum_sha256: string }>('GET', `/api/manifest/entry/${path}`)).body
        .checksum_sha256;

    test('a file that is new is written byte for byte and known at once; the same again changes nothing', async () => {
      const text = '\uFEFFname: Namer\r\nno final newline';
      const file = fileOf('_Skills/namer.yml', text);
      for (const _ of [1, 2])
        assert.deepEqual(await pushFiles(file), { accepted: [file.path], rejected: [] });
      assert.equal(replica.read(file.path), text);
      assert.equal(await inManifest(file.path), file.sha256);
    });

    test('one that was changed since is rejected with what lies there, and stays', async () => {
      await pushFiles(fileOf('notes.txt', 'one'));
      replica.write('notes.txt', 'two');
      const late = await pushFiles(fileOf('notes.txt', 'three', 'one'));
      assert.deepEqual([codesOf(late), late.rejected[0]?.sha256], [['changed'], sha256Hex('two')]);
      assert.deepEqual(codesOf(await pushFiles(fileOf('notes.txt', 'three'))), ['changed']);
      assert.equal(replica.read('notes.txt'), 'two');
      assert.deepEqual((await pushFiles(fileOf('notes.txt', 'three', 'two'))).accepted, ['notes.txt']);
      assert.equal(replica.read('notes.txt'), 'three');
    });

    test('bytes that lie here already, and are refused at their new place, leave no file open', async () => {
      const openHere = () =>
        readdirSync('/proc/self/fd').filter((fd) => {
          try {
            return readlinkSync(`/proc/self/fd/${fd}`).startsWith(core.contentDir);
          } catch {
            return false;
          }
        }).length;
      const bytes = Buffer.concat([PNG, Buffer.from('more')]);
      replica.write('Characters/mira/images/one.png', bytes);
      replica.write('Characters/mira/images/two.png', 'another');
      await core.call('POST', '/api/sync/refresh-all');
      const file = { path: 'Characters/mira/images/two.png', sha256: sha256Hex(bytes), base_sha256: null };
      const before = openHere();
      for (let time = 0; time < 5; time += 1) assert.deepEqual(codesOf(await pushFiles(file)), ['changed']);
      assert.equal(openHere(), before);
    });

    test('what a file was refused for is told to whoever pulls, though nobody here has read it yet', async () => {
      replica.write('plan.txt', 'theirs');
      const { cursor } = await replica.pullAll('files=true');
      assert.deepEqual(codesOf(await pushFiles(fileOf('plan.txt', 'ours'))), ['changed']);
      const { files = [] } = await replica.pull(`files=true&cursor=${cursor}`);
      assert.ok(files.some((file) => file.path === 'plan.txt' && 'content' in file));
    });

    test('a file whose folder goes as soon as it came is not said to be taken', async () => {
      const [first, second] = ['Assets/brief/first.txt', 'Assets/second.txt'];
      const project = await core.projects.open(LOCAL_TENANT, DEFAULT_PROJECT);
      const reply = await project.database.exclusive(`file ${project.projectId} ${second}`, async () => {
        const pushing = pushFiles(fileOf(first, 'one'), fileOf(second, 'two'));
        await until(async () => existsSync(join(core.contentDir, first)));
        rmSync(join(core.contentDir, 'Assets/brief'), { recursive: true });
        return { pushing };
      });
      const { accepted, rejected } = await reply.pushing;
      assert.deepEqual(accepted, [second]);
      assert.deepEqual(
        rejected.map(({ path, code, sha256 }) => ({ path, code, sha256 })),
        [{ path: first, code: 'changed', sha256: null }],
      );
      assert.deepEqual((await pushFiles(fileOf(first, 'one'))).accepted, [first]);
    });

    test('20 changes of one file at once: one is taken', async () => {
      await pushFiles(fileOf('race.txt', 'base'));
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, n) => pushFiles(fileOf('race.txt', `text ${n}`, 'base'))),
      );
      const taken = replies.flatMap(({ accepted }, n) => (accepted.length > 0 ? [n] : []));
      assert.equal(taken.length, 1);
      assert.equal(replica.read('race.txt'), `text ${taken[0]}`);
    });

    test('a template makes its type at once, and two changes of it that do not overlap are merged', async () => {
      await pushFiles(fileOf(TEMPLATE, template()));
      const body = { entity_id: 'gull', name: 'Gull' };
      assert.equal((await core.call('POST', '/api/entity/ship', { body })).status, 201);
      const theirs = template().replace('Two.', 'Two, changed.');
      await pushFiles(fileOf(TEMPLATE, theirs, template()));
      const ours = template('crew: 12\n');
      assert.deepEqual((await pushFiles(fileOf(TEMPLATE, ours, template()))).rejected, []);
      assert.equal(replica.read(TEMPLATE), ours.replace('Two.', 'Two, changed.'));
      const overlap = template().replace('Two.', 'Two, otherwise.');
      assert.deepEqual(codesOf(await pushFiles(fileOf(TEMPLATE, overlap, template()))), ['changed']);
    });

    test('an edit of a template that was deleted here is told that nothing lies there, so that it can come as a new one', async () => {
      const path = '_Templates/Custom/RAFT_TEMPLATE.md';
      const raft = template().replace('ship', 'raft');
      await pushFiles(fileOf(path, raft));
      await pushFiles({ path, base_sha256: sha256Hex(raft), deleted: true });
      const { rejected } = await pushFiles(fileOf(path, `${raft}\nThree.\n`, raft));
      assert.deepEqual(
        rejected.map(({ code, sha256 }) => ({ code, sha256 })),
        [{ code: 'changed', sha256: null }],
      );
    });

    test('rules are merged as well', async () => {
      const path = '_Rules/CHARACTER_RULES.md';
      const base = replica.read(path);
      const ours = `${base}\nOurs at the end.\n`;
      await pushFiles(fileOf(path, ours, base));
      const theirs = base.replace(/^---\n/, '---\n# theirs\n');
      assert.deepEqual((await pushFiles(fileOf(path, theirs, base))).rejected, []);
      assert.match(replica.read(path), /^---\n# theirs\n[\s\S]*Ours at the end\.\n$/);
    });

    test('an asset goes by its hash: missing bytes are named, sent by a batch, and the same bytes not twice', async () => {
      const sha256 = sha256Hex(PNG);
      const file = { path: 'Characters/mira/images/portrait.png', base_sha256: null, sha256 };
      const asked = await pushFiles(file);
      assert.deepEqual(codesOf(asked), ['missing_bytes']);
      assert.match(asked.rejected[0]?.detail ?? '', /batch/);
      const announced = {
        sha256,
        size: PNG.length,
        filename: 'portrait.png',
        entity_type: 'character',
        entity_id: 'mira',
      };
      const { body: batch } = await core.call<Batch>('POST', '/api/uploads/batches', {
        body: { files: [announced] },
      });
      assert.deepEqual(codesOf(await pushFiles({ ...file, batch_id: batch.id })), ['missing_bytes']);
      const sent = await core.call('PUT', batch.files[0]?.upload.url ?? '', {
        body: PNG,
        headers: { 'content-type': 'application/octet-stream' },
      });
      assert.equal(sent.status, 204, sent.text);
      assert.deepEqual((await pushFiles({ ...file, batch_id: batch.id })).accepted, [file.path]);
      assert.equal((await core.call('GET', `/api/files/${file.path}`)).status, 200);
      const copy = { ...file, path: 'Assets/copy.png' };
      assert.deepEqual((await pushFiles(copy)).accepted, [copy.path]);
      assert.equal(await inManifest(copy.path), sha256);
    });

    test('a deletion is taken where nobody changed the file since, and what is deleted lies in the recycle bin', async () => {
      await core.call('DELETE', '/api/recycle-bin');
      await pushFiles(
        fileOf('gone.txt', 'one'),
        fileOf('Assets/dot.png', PNG.toString('base64'), null, {
          encoding: 'base64',
          sha256: sha256Hex(PNG),
        }),
      );
      const deletion = (path: string, base: string | Uint8Array) => ({
        path,
        base_sha256: sha256Hex(base),
        deleted: true,
      });
      assert.deepEqual(codesOf(await pushFiles(deletion('gone.txt', 'other'))), ['changed']);
      for (const _ of [1, 2]) {
        const reply = await pushFiles(deletion('gone.txt', 'one'), deletion('Assets/dot.png', PNG));
        assert.deepEqual(reply.rejected, []);
      }
      assert.ok(!existsSync(join(core.contentDir, 'gone.txt')));
      assert.equal(await inManifest('gone.txt'), undefined);
      assert.match((await core.call('GET', '/api/assets/recycled')).text, /Assets\/dot\.png/);
      assert.equal(readdirSync(join(core.contentDir, '_RecycleBin/_files')).length, 1);
      assert.equal((await core.call('DELETE', '/api/recycle-bin')).status, 200);
      assert.deepEqual(readdirSync(join(core.contentDir, '_RecycleBin/_files')), []);
    });

    test('hostile paths, wrong bytes and entities among files are rejected, and nothing is written', async () => {
      const cases: [object, string][] = [
        [fileOf('../outside.txt', 'x'), 'invalid_path'],
        [fileOf('/etc/cron.d/x', 'x'), 'invalid_path'],
        [fileOf('a/../../x', 'x'), 'invalid_path'],
        [fileOf('.git/config', 'x'), 'invalid_path'],
        [fileOf('a/.hidden', 'x'), 'invalid_path'],
        [fileOf('node_modules/x', 'x'), 'invalid_path'],
        [fileOf('_RecycleBin/x', 'x'), 'invalid_path'],
        [fileOf('a\\b', 'x'), 'invalid_path'],
        [fileOf('a//b', 'x'), 'invalid_path'],
        [fileOf('x'.repeat(300), 'x'), 'invalid_path'],
        [fileOf(pathOf('mira'), 'x', characterText('mira')), 'is_entity'],
        [fileOf('Characters/nobody/README.md', 'x'), 'no_entity'],
        [{ ...fileOf('sum.txt', 'x'), sha256: sha256Hex('y') }, 'checksum_mismatch'],
        [{ ...fileOf('b64.txt', 'no base64!'), encoding: 'base64' }, 'invalid_content'],
        [{ path: 'nothing.txt', base_sha256: null }, 'no_content'],
      ];
      for (const [file, code] of cases)
        assert.deepEqual(codesOf(await pushFiles(file)), [code], JSON.stringify(file));
      assert.equal(replica.read(pathOf('mira')), characterText('mira'));
      assert.deepEqual((await pushFiles(fileOf('Characters/mira/README.md', 'Hello'))).rejected, []);
    });

    test('a link in the folder is no way out of it', async () => {
      const outside = mkdtempSync(join(core.contentDir, '..', 'outside-'));
      symlinkSync(outside, join(core.contentDir, 'linked'));
      assert.deepEqual(codesOf(await pushFiles(fileOf('linked/x.txt', 'x'))), ['outside']);
      assert.deepEqual(readdirSync(outside), []);
    });
  });
});

test('templates, rules and skills take an administrator', async () => {
  const people = await startPeople();
  after(() => people.close());
  const files = [
    '_Templates/Custom/A_TEMPLATE.md',
    '_Rules/A_RULES.md',
    '_Skills/a.yml',
    '_Plugins/a/plugin.json',
  ].map((path) => ({ path, content: 'x', base_sha256: null }));
  const push = async (token: string) => {
    const reply = await people.app.inject({
      method: 'POST',
      url: '/api/desktop/sync/push',
      headers: { authorization: `Bearer ${token}` },
      payload: { entities: [], client_timestamp: '2026-01-01T00:00:00Z', files },
    });
    assert.equal(reply.statusCode, 200, reply.body);
    return reply.json<{ files: { accepted: string[]; rejected: { code: string }[] } }>().files;
  };
  const refused = await push(people.cast.editor.token);
  assert.deepEqual(
    refused.rejected.map(({ code }) => code),
    Array(4).fill('insufficient_role'),
  );
  assert.equal((await push(people.cast.admin.token)).accepted.length, 4);
});
