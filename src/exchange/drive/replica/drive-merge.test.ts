import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../../test/support/core.ts';
import {
  aroundUpdate,
  character,
  characters,
  type DriveSyncCase,
  pathOf,
  startDriveSync,
} from '../../../../test/support/drive/drive-sync-case.ts';
import { conflictTexts } from '../../../../test/support/drive-histories/drive-world.ts';
import { DriveError } from '../../../platform/drive/drive.ts';
import { countRevisions, findEntityRow, type RecordsDb } from '../../../world/records/index.ts';

let core: TestCore;
before(async () => {
  core = await startCore();
});
after(() => core.close());

const ADA = pathOf('ada');

const versionOf = ({ one: { project } }: DriveSyncCase, id: string) =>
  project.database.read(async (db: RecordsDb) => {
    const row = await findEntityRow(db, project, 'character', id);
    const kept = row ? await countRevisions(db, project.tenantId, row.row_id) : 0;
    return { path: row?.path, version: row?.version, kept };
  });

describe('edits on both sides of a drive', () => {
  test('of different parts are merged, and both sides get the same text', async (t) => {
    const drive = await startDriveSync(core, { files: characters('ada') });
    t.after(drive.close);
    const { one, person } = drive;
    one.disk.write(ADA, character('ada', 'Written here.'));
    person.edit(drive.idAt(ADA), character('ada', 'Nothing yet.', 'smith'));
    const [first] = await drive.settle();
    assert.deepEqual([first?.merged, first?.conflicts], [1, 0]);
    const merged = character('ada', 'Written here.', 'smith');
    assert.deepEqual([one.disk.read(ADA), drive.textAt(ADA)], [merged, merged]);
    assert.deepEqual(conflictTexts(one.folder), []);
  });

  test('of the same paragraph are a conflict: the drive keeps its text, and both are kept here', async (t) => {
    const drive = await startDriveSync(core, { files: characters('ada') });
    t.after(drive.close);
    const { one, person } = drive;
    one.disk.write(ADA, character('ada', 'Written here.'));
    person.edit(drive.idAt(ADA), character('ada', 'Written there.'));
    const [first] = await drive.settle();
    assert.equal(first?.conflicts, 1);
    const theirs = character('ada', 'Written there.');
    assert.deepEqual([one.disk.read(ADA), drive.textAt(ADA)], [theirs, theirs]);
    const kept = conflictTexts(one.folder).join('\n');
    assert.ok(kept.includes('Written here.') && kept.includes('Written there.'), kept);
  });

  test('in a round that breaks off, and again in the next one, keep each text that lost', async (t) => {
    let looks = Number.POSITIVE_INFINITY;
    const drive = await startDriveSync(core, {
      files: characters('ada'),
      through: (real) => ({
        async changes(token) {
          looks -= 1;
          if (looks < 0) throw new DriveError('unavailable', 'The drive is down');
          return real.changes(token);
        },
      }),
    });
    t.after(drive.close);
    const { one, person } = drive;
    person.edit(drive.idAt(ADA), character('ada', 'Written there.'));
    for (const line of ['First here.', 'Then here.']) {
      one.disk.write(ADA, character('ada', line));
      // The second look would bring the text of the drive.
      looks = 1;
      assert.equal((await one.round()).error?.code, 'unreachable');
    }
    looks = Number.POSITIVE_INFINITY;
    await drive.settle();
    const theirs = character('ada', 'Written there.');
    assert.deepEqual([one.disk.read(ADA), drive.textAt(ADA)], [theirs, theirs]);
    const kept = conflictTexts(one.folder).join('\n');
    assert.ok(kept.includes('First here.') && kept.includes('Then here.'), kept);
  });

  test('an edit that comes between a look and a write is merged after the write', async (t) => {
    const { next, through } = aroundUpdate();
    const drive = await startDriveSync(core, { files: characters('ada'), through });
    t.after(drive.close);
    const { one, person } = drive;
    const id = drive.idAt(ADA);
    next({ before: () => person.edit(id, character('ada', 'Nothing yet.', 'smith')) });
    one.disk.write(ADA, character('ada', 'Written here.'));
    await drive.settle();
    const merged = character('ada', 'Written here.', 'smith');
    assert.deepEqual([one.disk.read(ADA), drive.textAt(ADA)], [merged, merged]);
    next({ before: () => person.edit(id, character('ada', 'Written there.', 'smith')) });
    one.disk.write(ADA, character('ada', 'Once more here.', 'smith'));
    await drive.settle();
    const theirs = character('ada', 'Written there.', 'smith');
    assert.deepEqual([one.disk.read(ADA), drive.textAt(ADA)], [theirs, theirs]);
    assert.match(conflictTexts(one.folder).join('\n'), /Once more here\./);
  });

  test('a move on one side and an edit on the other go together', async (t) => {
    const drive = await startDriveSync(core, { files: characters('ada', 'bo') });
    t.after(drive.close);
    const { one, person } = drive;
    one.disk.move('Characters/ada', 'Characters/here');
    person.edit(drive.idAt(ADA), character('ada', 'Written there.'));
    person.rename(drive.idAt('Characters/bo'), 'there');
    one.disk.write(pathOf('bo'), character('bo', 'Written here.'));
    await drive.settle();
    const expected = [
      [pathOf('ada', 'here'), character('ada', 'Written there.')],
      [pathOf('bo', 'there'), character('bo', 'Written here.')],
    ] as const;
    for (const [path, text] of expected)
      assert.deepEqual([one.disk.read(path), drive.textAt(path)], [text, text]);
    assert.deepEqual(drive.paths(), [pathOf('ada', 'here'), pathOf('bo', 'there')]);
    assert.deepEqual(conflictTexts(one.folder), []);
  });

  test('a folder that is renamed there is a move here, with its files and its history', async (t) => {
    const portrait = 'Characters/ada/images/portrait.png';
    const drive = await startDriveSync(core, { files: { ...characters('ada'), [portrait]: '\x89PNG' } });
    t.after(drive.close);
    const { one, person } = drive;
    one.disk.write(ADA, character('ada', 'A second version.'));
    await drive.settle();
    const before = await versionOf(drive, 'ada');
    person.rename(drive.idAt('Characters/ada'), 'the_baker');
    await drive.settle();
    const now = await versionOf(drive, 'ada');
    assert.equal(now.path, pathOf('ada', 'the_baker'));
    assert.ok((now.version ?? 0) >= (before.version ?? 0) && now.kept >= before.kept && before.kept > 0);
    assert.equal(one.disk.read('Characters/the_baker/images/portrait.png'), '\x89PNG');
    assert.equal(one.disk.read(ADA), undefined);
    assert.deepEqual(one.disk.recycled(), []);
  });

  test('an edit beats a deletion, whichever side it is on', async (t) => {
    const drive = await startDriveSync(core, { files: characters('ada', 'bo', 'cy') });
    t.after(drive.close);
    const { one, person } = drive;
    person.trash(drive.idAt('Characters/ada'));
    one.disk.write(ADA, character('ada', 'Written here.'));
    one.disk.remove('Characters/bo');
    person.edit(drive.idAt(pathOf('bo')), character('bo', 'Written there.'));
    await drive.settle();
    assert.equal(drive.textAt(ADA), character('ada', 'Written here.'));
    assert.equal(one.disk.read(pathOf('bo')), character('bo', 'Written there.'));
  });
});

test('a write that is sent twice, since its answer was cut, covers nothing', async (t) => {
  const { next, through } = aroundUpdate();
  const drive = await startDriveSync(core, { files: characters('ada'), through });
  t.after(drive.close);
  const { one, person, server } = drive;
  const id = drive.idAt(ADA);
  one.disk.write(ADA, character('ada', 'Written here.'));
  next({ before: () => person.edit(id, character('ada', 'Nothing yet.', 'smith')) });
  server.faults.next({ match: /^PATCH \/upload/, effect: 'done', connection: 'reset' });
  await drive.settle();
  const merged = character('ada', 'Written here.', 'smith');
  assert.deepEqual([one.disk.read(ADA), drive.textAt(ADA)], [merged, merged]);
});

test('a write whose process died before it looked back covers nothing', async (t) => {
  const { next, through } = aroundUpdate();
  const drive = await startDriveSync(core, { files: characters('ada'), through });
  t.after(drive.close);
  const { one, person } = drive;
  const id = drive.idAt(ADA);
  one.disk.write(ADA, character('ada', 'Written here.'));
  next({
    before: () => person.edit(id, character('ada', 'Nothing yet.', 'smith')),
    after() {
      throw new DriveError('unavailable', 'The process died');
    },
  });
  assert.equal((await one.round()).error?.code, 'unreachable');
  await drive.settle();
  const merged = character('ada', 'Written here.', 'smith');
  assert.deepEqual([one.disk.read(ADA), drive.textAt(ADA)], [merged, merged]);
});

test('a process that dies as it looks back leaves that to the next round', async (t) => {
  const { next, through } = aroundUpdate();
  let dies = false;
  const drive = await startDriveSync(core, {
    files: characters('ada'),
    through: (real) => ({
      ...through(real),
      async revisions(fileId) {
        if (dies) {
          dies = false;
          throw new DriveError('unavailable', 'The process died');
        }
        return real.revisions(fileId);
      },
    }),
  });
  t.after(drive.close);
  const { one, person } = drive;
  const id = drive.idAt(ADA);
  one.disk.write(ADA, character('ada', 'Written here.'));
  next({ before: () => person.edit(id, character('ada', 'Nothing yet.', 'smith')) });
  dies = true;
  assert.equal((await one.round()).error?.code, 'unreachable');
  await drive.settle();
  const merged = character('ada', 'Written here.', 'smith');
  assert.deepEqual([one.disk.read(ADA), drive.textAt(ADA)], [merged, merged]);
});

test('a merged text whose answer was lost, and of which the drive does not tell yet, is not written over', async (t) => {
  const { next, through } = aroundUpdate();
  let isLate = false;
  const drive = await startDriveSync(core, {
    files: characters('ada'),
    through: (real) => ({
      ...through(real),
      async changes(token) {
        return isLate ? { changes: [], pageToken: token, hasMore: false } : real.changes(token);
      },
    }),
  });
  t.after(drive.close);
  const { one, person } = drive;
  person.edit(drive.idAt(ADA), character('ada', 'Nothing yet.', 'smith'));
  one.disk.write(ADA, character('ada', 'Written here.'));
  next({
    before() {},
    after() {
      throw new DriveError('unavailable', 'The process died');
    },
  });
  assert.equal((await one.round()).error?.code, 'unreachable');
  assert.equal(drive.textAt(ADA), character('ada', 'Written here.', 'smith'));
  isLate = true;
  one.disk.write(ADA, character('ada', 'Written here again.'));
  await one.round();
  isLate = false;
  await drive.settle();
  const merged = character('ada', 'Written here.', 'smith');
  assert.deepEqual([one.disk.read(ADA), drive.textAt(ADA)], [merged, merged]);
  assert.match(conflictTexts(one.folder).join('\n'), /Written here again\./);
});
