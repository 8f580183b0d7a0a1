import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, describe, type TestContext, test } from 'node:test';
import { startCore, type TestCore } from '../../../../test/support/core.ts';
import {
  character,
  characters,
  pathOf,
  startDriveSync,
} from '../../../../test/support/drive/drive-sync-case.ts';
import { sha256Hex } from '../../../kit/crypto.ts';
import { type Drive, type DriveContent, DriveError, type DriveFile } from '../../../platform/drive/drive.ts';
import { fileKey } from '../../sync/index.ts';

let core: TestCore;
before(async () => {
  core = await startCore();
});
after(() => core.close());

const MB = 1024 * 1024;
const LARGE = `\x89PNG${'large '.repeat((12 * MB) / 6)}`;
const FILM = 'Characters/ada/video/film.mp4';

/** All of one size. */
const filmOf = (word: string): string => word.padEnd(64).repeat((20 * MB) / 64);
const filmHash = (word: string): string => sha256Hex(filmOf(word));

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

test('a file whose hash the drive does not tell is read as a stream, and once', async (t) => {
  const drive = await startDriveSync(core, { files: characters('ada') });
  t.after(drive.close);
  const { one, server, person } = drive;
  server.tellsSha256 = false;
  const text = filmOf('once');
  const fileId = person.createFile(drive.idAt('Characters/ada'), 'film.mp4', text);
  const film = 'Characters/ada/film.mp4';
  const item = (await drive.items()).find(({ key }) => key === fileKey(film));
  assert.ok(item?.kind === 'file');
  assert.ok(item.bytes === null, 'it would be in memory as a whole');
  assert.deepEqual([item.sha256, item.size], [filmHash('once'), text.length]);
  assert.equal((await one.round()).error, null);
  assert.ok(one.disk.read(film) === text);
  server.requests.length = 0;
  await one.round();
  person.edit(drive.idAt(pathOf('ada')), character('ada', 'Written there.'));
  await drive.settle();
  assert.equal(one.disk.read(pathOf('ada')), character('ada', 'Written there.'));
  assert.deepEqual(
    server.requests.filter(({ path }) => path.includes(fileId)),
    [],
  );
});

const died = () => new DriveError('unavailable', 'The process died');

async function* firstPieceOf(bytes: AsyncIterable<Buffer>) {
  let read = 0;
  for await (const chunk of bytes) {
    yield chunk;
    read += chunk.length;
    if (read > 9 * MB) throw died();
  }
}

/** A drive of processes that may die in their uploads. Each round opens it anew, as another process does. */
function mortal() {
  const next = { dies: null as 'within' | 'after' | null, isUnheard: false };
  async function send<Content extends DriveContent>(
    content: Content,
    sent: (content: Content) => Promise<DriveFile>,
  ): Promise<DriveFile> {
    const { dies } = next;
    next.dies = null;
    const from = (offset: number) => Readable.from(firstPieceOf(content.from(offset)));
    const file = await sent(dies === 'within' ? { ...content, from } : content);
    if (dies === 'after') throw died();
    return file;
  }
  const through = (drive: Drive): Partial<Drive> => ({
    changes: async (pageToken) =>
      next.isUnheard ? { changes: [], pageToken, hasMore: false } : drive.changes(pageToken),
    create: (file, content) => send(content, (given) => drive.create(file, given)),
    update: (fileId, { content, ...change }) =>
      content
        ? send(content, (given) => drive.update(fileId, { ...change, content: given }))
        : drive.update(fileId, change),
  });
  return { next, through };
}

async function startMortal(t: TestContext) {
  const { next, through } = mortal();
  const drive = await startDriveSync(core, { files: characters('ada'), through });
  t.after(drive.close);
  const { one, server } = drive;
  return {
    ...drive,
    async die(when: 'within' | 'after' = 'within'): Promise<void> {
      next.dies = when;
      assert.equal((await one.round()).error?.code, 'unreachable');
    },
    /** A round in which the drive does not tell of its changes yet. */
    async roundUnheard(): Promise<void> {
      next.isUnheard = true;
      const { error, left } = await one.round();
      assert.deepEqual([error, left], [null, []]);
      next.isUnheard = false;
    },
    /** Of each revision of the film. */
    hashes: () => server.file(drive.idAt(FILM))?.revisions.map(({ sha256 }) => sha256),
    /** Bytes in pieces that arrived, and how many uploads began. */
    sent: () => ({
      bytes: server.requests.reduce((sum, { method, size }) => sum + (method === 'PUT' ? size : 0), 0),
      begun: server.requests.filter(({ query }) => query.uploadType === 'resumable' && !query.upload_id)
        .length,
    }),
  };
}

describe('a process that dies in a large upload', () => {
  test('leaves the rest to the next one, of a new file and of a changed one', async (t) => {
    const { one, server, die, sent, hashes } = await startMortal(t);
    for (const word of ['once', 'more']) {
      server.requests.length = 0;
      one.disk.write(FILM, filmOf(word));
      await die();
      await die();
      await one.round();
      assert.deepEqual(sent(), { bytes: 20 * MB, begun: 1 });
    }
    assert.deepEqual(hashes(), ['once', 'more'].map(filmHash));
  });

  test('leaves nothing of a file that changed meanwhile', async (t) => {
    const { one, die, hashes } = await startMortal(t);
    for (const word of ['once', 'more']) {
      one.disk.write(FILM, filmOf(word));
      await die();
      one.disk.write(FILM, filmOf(`${word} again`));
      await one.round();
    }
    assert.deepEqual(hashes(), ['once again', 'more again'].map(filmHash));
  });

  test('leaves nothing in a folder that is gone', async (t) => {
    const { one, person, server, idAt, die, sent, hashes } = await startMortal(t);
    one.disk.write(FILM, filmOf('once'));
    await die();
    server.requests.length = 0;
    person.remove(idAt('Characters/ada/video'));
    await one.round();
    assert.deepEqual(hashes(), [filmHash('once')]);
    assert.equal(sent().bytes, 20 * MB);
  });

  test('has made a file that is found again, also where its session is forgotten', async (t) => {
    for (const isForgotten of [false, true]) {
      const { one, server, die, roundUnheard, sent, hashes, settle } = await startMortal(t);
      one.disk.write(FILM, filmOf('once'));
      await die('after');
      server.requests.length = 0;
      if (isForgotten) server.loseUploads();
      await roundUnheard();
      await settle();
      assert.equal(sent().bytes, 0);
      assert.deepEqual(hashes(), [filmHash('once')]);
    }
  });

  test('leaves nothing to go on with where a person took back what it had done', async (t) => {
    const { one, person, idAt, die, roundUnheard, settle, hashes } = await startMortal(t);
    one.disk.write(FILM, filmOf('once'));
    await settle();
    one.disk.write(FILM, filmOf('more'));
    await die('after');
    person.edit(idAt(FILM), filmOf('once'));
    await roundUnheard();
    await settle();
    assert.deepEqual(hashes(), ['once', 'more', 'once', 'more'].map(filmHash));
    assert.ok(one.disk.read(FILM) === filmOf('more'));
  });
});
