import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, describe, type TestContext, test } from 'node:test';
import { startCore, type TestCore } from '../../../../test/support/core.ts';
import {
  aroundUpdate,
  characters,
  type DriveSyncCase,
  pathOf,
  startDriveSync,
} from '../../../../test/support/drive/drive-sync-case.ts';
import { sha256Hex } from '../../../kit/crypto.ts';
import { type Drive, type DriveContent, DriveError } from '../../../platform/drive/drive.ts';

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

/** A process that dies after the first piece of its next upload. Each round opens the drive anew, as another process does. */
function mortal() {
  let dies = false;
  async function* firstPieceOf(bytes: AsyncIterable<Buffer>) {
    let read = 0;
    for await (const chunk of bytes) {
      yield chunk;
      read += chunk.length;
      if (read > 9 * MB) throw new DriveError('unavailable', 'The process died');
    }
  }
  const dying = <Content extends DriveContent>(content: Content): Content => {
    if (!dies) return content;
    dies = false;
    return { ...content, from: (offset) => Readable.from(firstPieceOf(content.from(offset))) };
  };
  return {
    through: (drive: Drive): Drive => ({
      ...drive,
      get requests() {
        return drive.requests;
      },
      create: (file, content) => drive.create(file, dying(content)),
      update: (fileId, { content, ...change }) =>
        drive.update(fileId, { ...change, ...(content && { content: dying(content) }) }),
    }),
    async dieIn({ one }: DriveSyncCase): Promise<void> {
      dies = true;
      assert.equal((await one.round()).error?.code, 'unreachable');
    },
  };
}

/** All of one size. */
const filmOf = (word: string): string => word.padEnd(64).repeat((20 * MB) / 64);

const hashesOf = ({ server, idAt }: DriveSyncCase) =>
  server.file(idAt(FILM))?.revisions.map(({ sha256 }) => sha256);

/** Bytes of pieces that arrived, and how many uploads began. */
const sentTo = ({ server: { requests } }: DriveSyncCase) => ({
  bytes: requests.reduce((sum, { method, size }) => sum + (method === 'PUT' ? size : 0), 0),
  begun: requests.filter(({ query }) => query.uploadType === 'resumable' && !query.upload_id).length,
});

describe('a process that dies in the middle of a large upload', () => {
  const start = async (t: TestContext) => {
    const { through, dieIn } = mortal();
    const drive = await startDriveSync(core, { files: characters('ada'), through });
    t.after(drive.close);
    return { ...drive, die: () => dieIn(drive) };
  };

  test('leaves the rest to the next one, of a new file and of a changed one', async (t) => {
    const drive = await start(t);
    const { one, server } = drive;
    const texts = [filmOf('once'), filmOf('more')];
    for (const text of texts) {
      server.requests.length = 0;
      one.disk.write(FILM, text);
      await drive.die();
      await drive.die();
      await one.round();
      assert.deepEqual(sentTo(drive), { bytes: text.length, begun: 1 });
    }
    assert.deepEqual(hashesOf(drive), texts.map(sha256Hex));
  });

  test('leaves nothing of a file that changed meanwhile', async (t) => {
    const drive = await start(t);
    const { one } = drive;
    for (const word of ['once', 'over']) {
      one.disk.write(FILM, filmOf(word));
      await drive.die();
      one.disk.write(FILM, filmOf(`${word} again`));
      await one.round();
    }
    assert.deepEqual(
      hashesOf(drive),
      ['once again', 'over again'].map((word) => sha256Hex(filmOf(word))),
    );
  });

  test('leaves nothing to go on with where it was done, and somebody took that back unheard', async (t) => {
    const { next, through } = aroundUpdate();
    let isLate = false;
    const drive = await startDriveSync(core, {
      files: { ...characters('ada'), [FILM]: filmOf('once') },
      through: (real) => ({
        ...through(real),
        get requests() {
          return real.requests;
        },
        changes: async (pageToken) =>
          isLate ? { changes: [], pageToken, hasMore: false } : real.changes(pageToken),
      }),
    });
    t.after(drive.close);
    const { one, person } = drive;
    one.disk.write(FILM, filmOf('more'));
    next({
      before: () => {},
      after() {
        person.edit(drive.idAt(FILM), filmOf('once'));
        throw new DriveError('unavailable', 'The process died');
      },
    });
    for (isLate of [false, true, false]) await one.round();
    assert.ok(one.disk.read(FILM) === filmOf('more'));
    assert.ok(drive.textAt(FILM) === filmOf('more'));
  });

  test('leaves nothing in a folder that is gone', async (t) => {
    const drive = await start(t);
    const { one, person, server } = drive;
    one.disk.write(FILM, filmOf('once'));
    await drive.die();
    server.requests.length = 0;
    person.remove(drive.idAt('Characters/ada/video'));
    await one.round();
    assert.ok(drive.textAt(FILM) === filmOf('once'));
    assert.equal(sentTo(drive).bytes, 20 * MB);
  });
});
