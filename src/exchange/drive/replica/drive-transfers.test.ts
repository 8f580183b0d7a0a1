import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../../test/support/core.ts';
import { characters, pathOf, startDriveSync } from '../../../../test/support/drive/drive-sync-case.ts';

let core: TestCore;
before(async () => {
  core = await startCore();
});
after(() => core.close());

const MB = 1024 * 1024;
const LARGE = `\x89PNG${'large '.repeat((12 * MB) / 6)}`;
const FILM = 'Characters/ada/video/film.mp4';

describe('what goes to a drive', () => {
  test('a large file goes on where its upload was cut, and comes whole to others', async (t) => {
    const drive = await startDriveSync(core, { installs: 2, files: characters('ada') });
    t.after(drive.close);
    const { one, two, server } = drive;
    one.disk.write(FILM, LARGE);
    server.faults.next({ match: /^PUT .*upload_id/, connection: 'cut-upload' });
    server.requests.length = 0;
    await one.round();
    const pieces = server.requests.filter(({ method }) => method === 'PUT');
    assert.ok(pieces.length >= 3, `${pieces.length} requests: a cut one, a question, and the rest`);
    assert.equal(drive.textAt(FILM)?.length, LARGE.length);
    await drive.settle();
    assert.equal(two.disk.read(FILM), LARGE);
  });

  test('a download that is cut is no content, and comes again', async (t) => {
    const drive = await startDriveSync(core, { installs: 2, files: characters('ada') });
    t.after(drive.close);
    const { one, two, server } = drive;
    one.disk.write(FILM, LARGE);
    await one.round();
    server.faults.next({ match: /alt=media/, connection: 'cut' });
    const { error } = await two.round();
    assert.equal(error?.code, 'unreachable', JSON.stringify(error));
    assert.equal(two.disk.read(FILM), undefined);
    await drive.settle();
    assert.equal(two.disk.read(FILM), LARGE);
  });

  test('what has come there already is not counted as missing', async (t) => {
    const drive = await startDriveSync(core, { files: characters('ada') });
    t.after(drive.close);
    const { one, server } = drive;
    server.storageLimit = server.storageUsed + 1000;
    for (const name of ['q', 'r', 's']) one.disk.write(`${name}.txt`, name.repeat(400));
    const { left } = await one.round();
    assert.match(left[0]?.reason ?? '', /: 200 bytes are missing there/);
  });

  test('a full drive says how much is missing, and everything else goes on', async (t) => {
    const drive = await startDriveSync(core, { files: characters('ada', 'bo', 'cy', 'di') });
    t.after(drive.close);
    const { one, server, person } = drive;
    server.storageLimit = server.storageUsed + 100;
    one.disk.write(FILM, LARGE);
    one.disk.remove('Characters/di');
    person.rename(drive.idAt('Characters/bo'), 'there');
    const { left, error } = await one.round();
    assert.equal(error, null);
    const film = left.find(({ key }) => key === FILM);
    assert.match(film?.reason ?? '', /the drive is full: [\d,]+ bytes are missing there/);
    assert.deepEqual(drive.paths(), [pathOf('ada'), pathOf('cy'), pathOf('bo', 'there')].sort());
    assert.notEqual(one.disk.read(pathOf('bo', 'there')), undefined);
    server.storageLimit = null;
    await one.sync.pushAll(one.project);
    assert.equal(drive.textAt(FILM)?.length, LARGE.length);
  });
});
