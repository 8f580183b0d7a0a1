import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { until } from '../../../test/support/until.ts';
import {
  DOCUMENT_TYPE,
  type Drive,
  type DriveContent,
  DriveError,
  type DriveErrorCode,
  type DriveFile,
  FOLDER_TYPE,
} from './drive.ts';

export interface TestDrive {
  drive: Drive;
  /** Everything that the suite makes lies here. */
  folderId: string;
  /** For good, as a person can in the drive's own pages. */
  remove(fileId: string): Promise<void>;
  /** The address of another account. */
  colleague: string | null;
}

export const failsAs = (code: DriveErrorCode) => (error: unknown) => {
  assert.ok(error instanceof DriveError, String(error));
  assert.equal(error.code, code, error.message);
  return true;
};

export const contentOf = (given: string | Buffer): DriveContent => {
  const bytes = Buffer.from(given);
  return { size: bytes.length, from: (offset) => Readable.from([bytes.subarray(offset)]) };
};

export async function newId(drive: Drive): Promise<string> {
  const [id] = await drive.newIds(1);
  assert.ok(id);
  return id;
}

export async function makeFolder(drive: Drive, parentId: string, name: string): Promise<DriveFile> {
  const [made] = await drive.createFolders([{ fileId: await newId(drive), name, parentId }]);
  if (made === undefined || made instanceof DriveError) throw made ?? new Error('no answer');
  return made;
}

export async function makeFile(drive: Drive, parentId: string, name: string, text: string | Buffer = name) {
  const file = { fileId: await newId(drive), name, parentId, mimeType: 'text/markdown' };
  return drive.create(file, contentOf(text));
}

const hashOf = (algorithm: 'md5' | 'sha256', given: string | Buffer) =>
  createHash(algorithm).update(given).digest('hex');
const namesOf = (files: readonly DriveFile[]) => files.map(({ name }) => name).sort();
const MINUTE_MS = 60_000;

export const LARGE = 20 * 1024 * 1024 + 5;

/** With the session that an earlier process noted. `dying` ends in the second piece. */
export function begunContent(bytes: Buffer, path: string | null = null) {
  const read: number[] = [];
  const sessions: string[] = [];
  const session = { path, opened: async (opened: string) => void sessions.push(opened) };
  const from = (offset: number) => {
    read.push(offset);
    return Readable.from([bytes.subarray(offset)]);
  };
  function* someBytes() {
    yield bytes.subarray(0, LARGE / 2);
    throw new Error('The process died');
  }
  return {
    read,
    sessions,
    content: { size: bytes.length, from, session },
    dying: { size: bytes.length, from: () => Readable.from(someBytes()), session },
  };
}

type Make = (t: TestContext) => Promise<TestDrive>;

/** Over real sockets; also against the drive itself. */
export function driveConformance(name: string, make: Make): void {
  describe(`drive: ${name}`, () => {
    folders(make);
    lists(make);
    contents(make);
    updates(make);
    changes(make);
    sharing(make);
  });
}

function folders(make: Make): void {
  it('tells about the account', async (t) => {
    const { drive } = await make(t);
    const before = drive.requests;
    const account = await drive.about();
    assert.match(account.email, /@/);
    assert.ok(account.name && account.permissionId);
    assert.ok(account.used >= 0 && (account.limit === null || account.limit > account.used));
    assert.equal(drive.requests, before + 1);
  });

  it('makes folders by given ids, in one request and in their order', async (t) => {
    const { drive, folderId } = await make(t);
    assert.deepEqual(await drive.createFolders([]), []);
    const ids = await drive.newIds(3);
    assert.equal(new Set(ids).size, 3);
    const names = ['Orte & Länder', "Mara's “Atelier” \\ 1/2", '龍 🐉'];
    const wanted = names.map((name, at) => ({
      fileId: ids[at] ?? '',
      name,
      parentId: ids[at - 1] ?? folderId,
    }));
    const before = drive.requests;
    const made = await drive.createFolders(wanted);
    assert.equal(drive.requests, before + 1);
    for (const [at, folder] of made.entries()) {
      assert.ok(!(folder instanceof DriveError), String(folder));
      const { fileId, name, parentId, isFolder, mimeType, size, sha256, headRevisionId } = folder;
      assert.deepEqual({ fileId, name, parentId }, wanted[at]);
      assert.deepEqual(
        [isFolder, mimeType, size, sha256, headRevisionId],
        [true, FOLDER_TYPE, null, null, null],
      );
      assert.ok(Math.abs(folder.createdAt - Date.now()) < 10 * MINUTE_MS);
      assert.deepEqual(await drive.file(fileId), folder);
    }
    const [first] = ids;
    const again = await drive.createFolders([
      { fileId: first ?? '', name: 'Again', parentId: folderId },
      { fileId: await newId(drive), name: 'New', parentId: folderId },
      { fileId: await newId(drive), name: 'Lost', parentId: 'no-such-folder' },
    ]);
    assert.deepEqual(
      again.map((each) => (each instanceof DriveError ? each.code : each.name)),
      ['exists', 'New', 'not_found'],
    );
  });

  it('makes as many folders at once as it may', async (t) => {
    const { drive, folderId } = await make(t);
    const ids = await drive.newIds(100);
    const made = await drive.createFolders(
      ids.map((fileId, at) => ({ fileId, name: `Folder ${at}`, parentId: folderId })),
    );
    assert.deepEqual(
      made.map((each) => (each instanceof DriveError ? each.code : each.fileId)),
      ids,
    );
  });
}

async function allOf(drive: Drive, query: Parameters<Drive['files']>[0]): Promise<DriveFile[]> {
  const found: DriveFile[] = [];
  let pageToken: string | null = null;
  do {
    const page = await drive.files({ ...query, ...(pageToken !== null && { pageToken }) });
    found.push(...page.files);
    pageToken = page.nextPageToken;
  } while (pageToken !== null);
  return found;
}

function lists(make: Make): void {
  it('lists what is in a folder, by pages', async (t) => {
    const { drive, folderId: parentId } = await make(t);
    const names = ['a.md', 'b.md', 'c.md', 'same.md', 'same.md'];
    for (const name of names) await makeFile(drive, parentId, name);
    const below = await makeFolder(drive, parentId, 'below');
    await makeFile(drive, below.fileId, 'deeper.md');
    const first = await drive.files({ parentId, pageSize: 2 });
    assert.equal(first.files.length, 2);
    assert.equal(first.isIncomplete, false);
    assert.ok(first.nextPageToken);
    const all = await allOf(drive, { parentId, pageSize: 2 });
    assert.deepEqual(namesOf(all), [...names, 'below'].sort());
    assert.equal(new Set(all.map(({ fileId }) => fileId)).size, 6);
    assert.deepEqual(namesOf(await allOf(drive, { parentId, foldersOnly: true })), ['below']);
    const [one] = all.filter(({ isFolder }) => !isFolder);
    assert.ok(one);
    assert.deepEqual(await drive.file(one.fileId), one);
  });

  it('lists what a term asks for', async (t) => {
    const { drive, folderId: parentId } = await make(t);
    const quote = "Mara's \\ Tür.md";
    for (const name of [quote, 'Dragon.md', 'Door.md']) await makeFile(drive, parentId, name);
    const named = async (term: string) => namesOf(await allOf(drive, { parentId, term }));
    assert.deepEqual(await named("name = 'Mara\\'s \\\\ Tür.md'"), [quote]);
    assert.deepEqual(await named("name = 'Door.md' or name = 'Dragon.md'"), ['Door.md', 'Dragon.md']);
    assert.deepEqual(await named("not name contains 'Do' and mimeType = 'text/markdown'"), [
      'Dragon.md',
      quote,
    ]);
    assert.deepEqual(await named("modifiedTime < '2001-01-01T00:00:00'"), []);
    await assert.rejects(drive.files({ parentId, term: 'name ~ 1' }), failsAs('refused'));
  });

  it('knows nothing of what it cannot see', async (t) => {
    const { drive, folderId } = await make(t);
    assert.equal(await drive.file('no-such-file'), null);
    await assert.rejects(drive.update('no-such-file', { name: 'x' }), failsAs('not_found'));
    await assert.rejects(drive.download('no-such-file'), failsAs('not_found'));
    await assert.rejects(drive.revisions('no-such-file'), failsAs('not_found'));
    await assert.rejects(
      drive.files({ parentId: folderId, pageToken: 'no-token' }),
      failsAs('invalid_token'),
    );
    await assert.rejects(drive.changes('no-token'), failsAs('invalid_token'));
  });
}

function contents(make: Make): void {
  it('makes a file once for an id', async (t) => {
    const { drive, folderId: parentId } = await make(t);
    const wanted = { fileId: await newId(drive), name: 'Ada – “Ä”.md', parentId, mimeType: 'text/markdown' };
    const text = '# Ada\n\nÄ 龍\n';
    const file = await drive.create({ ...wanted, description: 'Who she is' }, contentOf(text));
    const { fileId, name, mimeType } = file;
    assert.deepEqual({ fileId, name, parentId: file.parentId, mimeType }, wanted);
    assert.deepEqual([file.size, file.sha256], [Buffer.byteLength(text), hashOf('sha256', text)]);
    assert.deepEqual(
      [file.isFolder, file.isNative, file.isTrashed, file.canEdit],
      [false, false, false, true],
    );
    assert.equal(file.description, 'Who she is');
    assert.ok(file.headRevisionId && file.webViewLink && file.modifiedBy && file.version > 0);
    assert.equal(file.driveId, null);
    await assert.rejects(drive.create(wanted, contentOf(text)), failsAs('exists'));

    const { body, ...head } = await drive.download(fileId);
    assert.equal((await buffer(body)).toString(), text);
    assert.equal(head.size, Buffer.byteLength(text));
    assert.match(head.mimeType, /^text\/markdown/);
    assert.equal(head.contentRange, null);
    await assert.rejects(drive.export(fileId, 'text/plain'), (error) => error instanceof DriveError);
  });

  it('takes empty contents and large ones', async (t) => {
    const { drive, folderId } = await make(t);
    const empty = await makeFile(drive, folderId, 'empty.md', '');
    assert.deepEqual([empty.size, empty.sha256], [0, hashOf('sha256', '')]);
    assert.equal((await buffer((await drive.download(empty.fileId)).body)).length, 0);

    const bytes = randomBytes(9 * 1024 * 1024 + 3);
    const large = await makeFile(drive, folderId, 'large.bin', bytes);
    assert.deepEqual([large.size, large.sha256], [bytes.length, hashOf('sha256', bytes)]);
    const changed = await drive.update(large.fileId, {
      name: 'larger.bin',
      content: { ...contentOf(Buffer.concat([bytes, bytes])), mimeType: 'application/octet-stream' },
    });
    assert.deepEqual([changed.name, changed.size], ['larger.bin', 2 * bytes.length]);
  });

  it('goes on with a large content in another process', async (t) => {
    const { drive, folderId: parentId } = await make(t);
    const file = { fileId: await newId(drive), name: 'large.bin', parentId, mimeType: 'image/png' };
    const sends: ((content: DriveContent) => Promise<DriveFile>)[] = [
      (content) => drive.create(file, content),
      (content) => drive.update(file.fileId, { content: { ...content, mimeType: file.mimeType } }),
    ];
    for (const [at, send] of sends.entries()) {
      const bytes = randomBytes(LARGE);
      const first = begunContent(bytes);
      await assert.rejects(send(first.dying), /The process died/);
      assert.equal((await drive.file(file.fileId))?.size ?? null, at === 0 ? null : LARGE);
      const next = begunContent(bytes, first.sessions[0]);
      assert.equal((await send(next.content)).sha256, hashOf('sha256', bytes));
      const [from = 0, ...others] = next.read;
      assert.ok(from > 0 && others.length === 0, `read from ${next.read}`);
      assert.deepEqual([first.sessions.length, next.sessions.length], [1, 0]);

      const late = begunContent(bytes, first.sessions[0]);
      assert.equal((await send(late.content)).fileId, file.fileId, 'the answer was lost');
      assert.deepEqual([late.read, late.sessions], [[], []]);
      assert.equal((await drive.revisions(file.fileId)).length, at + 1);
    }
  });

  it('begins anew in place of a session that it does not know', async (t) => {
    const { drive, folderId: parentId } = await make(t);
    const file = { fileId: await newId(drive), name: 'large.bin', parentId, mimeType: 'image/png' };
    const bytes = randomBytes(LARGE);
    const first = begunContent(bytes);
    await assert.rejects(drive.create(file, first.dying), /The process died/);
    const unknown = first.sessions[0]?.replace(/upload_id=[^&]+/, 'upload_id=unknown');
    const next = begunContent(bytes, unknown);
    assert.equal((await drive.create(file, next.content)).sha256, hashOf('sha256', bytes));
    assert.deepEqual([next.read, next.sessions.length], [[0], 1]);
    await assert.rejects(drive.create(file, begunContent(bytes, unknown).content), failsAs('exists'));
    const small = begunContent(Buffer.from('small'));
    await drive.update(file.fileId, { content: { ...small.content, mimeType: 'text/plain' } });
    assert.deepEqual(small.sessions, []);
  });

  it('reads parts of a content', async (t) => {
    const { drive, folderId } = await make(t);
    const { fileId } = await makeFile(drive, folderId, 'digits.txt', '0123456789');
    const read = async (range: { first: number; last?: number }) => {
      const { body, size, contentRange } = await drive.download(fileId, { range });
      return [(await buffer(body)).toString(), size, contentRange];
    };
    assert.deepEqual(await read({ first: 2, last: 4 }), ['234', 3, 'bytes 2-4/10']);
    assert.deepEqual(await read({ first: 7 }), ['789', 3, 'bytes 7-9/10']);
    await assert.rejects(read({ first: 10 }), failsAs('refused'));
  });

  it('converts to a document of its own, and back', async (t) => {
    const { drive, folderId: parentId } = await make(t);
    const wanted = { fileId: await newId(drive), name: 'Notes', parentId, mimeType: 'text/markdown' };
    const made = await drive.create({ ...wanted, convertTo: DOCUMENT_TYPE }, contentOf('A dragon sleeps.\n'));
    assert.deepEqual([made.mimeType, made.isNative, made.parentId], [DOCUMENT_TYPE, true, parentId]);
    assert.deepEqual([made.size, made.sha256, made.headRevisionId], [null, null, null]);
    const read = async (type: string) => (await buffer(await drive.export(made.fileId, type))).toString();
    assert.match(await read('text/plain'), /A dragon sleeps\./);
    assert.match(await read('text/markdown'), /A dragon sleeps\./);
    await assert.rejects(drive.download(made.fileId), failsAs('refused'));
  });
}

function updates(make: Make): void {
  it('replaces a content and keeps the former one as a revision', async (t) => {
    const { drive, folderId } = await make(t);
    const first = await makeFile(drive, folderId, 'a.md', 'first');
    const content = { ...contentOf('second'), mimeType: 'text/markdown' };
    const second = await drive.update(first.fileId, { content });
    assert.equal(second.sha256, hashOf('sha256', 'second'));
    assert.ok(second.version > first.version);
    assert.notEqual(second.headRevisionId, first.headRevisionId);
    const revisions = await drive.revisions(first.fileId);
    assert.deepEqual(
      revisions.map(({ revisionId, size, md5 }) => [revisionId, size, md5]),
      [
        [first.headRevisionId, 5, hashOf('md5', 'first')],
        [second.headRevisionId, 6, hashOf('md5', 'second')],
      ],
    );
    assert.ok(revisions.every(({ modifiedAt }) => Math.abs(modifiedAt - Date.now()) < 10 * MINUTE_MS));
    const before = { revisionId: first.headRevisionId ?? '' };
    assert.equal((await buffer((await drive.download(first.fileId, before)).body)).toString(), 'first');
    const part = await drive.download(first.fileId, { ...before, range: { first: 3 } });
    assert.equal((await buffer(part.body)).toString(), 'st');
  });

  it('renames, moves, trashes and takes back', async (t) => {
    const { drive, folderId } = await make(t);
    const [from, to] = [await makeFolder(drive, folderId, 'from'), await makeFolder(drive, folderId, 'to')];
    const { fileId } = await makeFile(drive, from.fileId, 'a.md', 'text');
    const renamed = await drive.update(fileId, { name: "Mara's Ä.md" });
    assert.deepEqual([renamed.name, renamed.parentId], ["Mara's Ä.md", from.fileId]);
    const moved = await drive.update(fileId, { name: 'b.md', move: { to: to.fileId, from: from.fileId } });
    assert.deepEqual([moved.name, moved.parentId], ['b.md', to.fileId]);
    assert.equal(moved.sha256, renamed.sha256);
    assert.ok(moved.version > renamed.version);

    const trashed = await drive.update(to.fileId, { trashed: true });
    assert.deepEqual([trashed.isTrashed, trashed.isTrashedItself], [true, true]);
    const within = await drive.file(fileId);
    assert.deepEqual([within?.isTrashed, within?.isTrashedItself], [true, false]);
    assert.deepEqual(namesOf(await allOf(drive, { parentId: folderId })), ['from']);
    assert.deepEqual(namesOf(await allOf(drive, { parentId: folderId, trashed: 'with' })), ['from', 'to']);
    const back = await drive.update(to.fileId, { trashed: false });
    assert.equal(back.isTrashed, false);
    assert.equal((await drive.file(fileId))?.isTrashed, false);
  });
}

function changes(make: Make): void {
  it('tells of changes, its own included, and of what was removed', async (t) => {
    const { drive, folderId, remove } = await make(t);
    let token = await drive.startPageToken();
    const seen = new Map<string, DriveFile | null>();
    const follow = async () => {
      for (let hasMore = true; hasMore; ) {
        const page = await drive.changes(token);
        for (const { fileId, file } of page.changes) seen.set(fileId, file);
        token = page.pageToken;
        hasMore = page.hasMore;
      }
    };
    await follow();
    const { fileId } = await makeFile(drive, folderId, 'a.md');
    const other = await makeFolder(drive, folderId, 'folder');
    await drive.update(fileId, { name: 'b.md' });
    await until(async () => {
      await follow();
      return seen.get(fileId)?.name === 'b.md' && seen.get(other.fileId)?.isFolder === true;
    });
    await drive.update(other.fileId, { trashed: true });
    await remove(fileId);
    await until(async () => {
      await follow();
      return seen.get(fileId) === null && seen.get(other.fileId)?.isTrashed === true;
    });
    assert.equal(await drive.file(fileId), null);
  });

  it('watches for changes until it is stopped', async (t) => {
    const { drive } = await make(t);
    const endsAt = Date.now() + 10 * MINUTE_MS;
    const wanted = {
      channelId: randomUUID(),
      secret: 'secret',
      address: 'https://canonry.example.com/hook',
      endsAt,
    };
    const channel = await drive.watch(await drive.startPageToken(), wanted);
    assert.equal(channel.channelId, wanted.channelId);
    assert.ok(channel.resourceId);
    assert.ok(Math.abs(channel.endsAt - endsAt) < MINUTE_MS);
    await drive.stop(channel);
    await drive.stop(channel);
    await assert.rejects(
      drive.watch('no-token', { ...wanted, channelId: randomUUID() }),
      failsAs('invalid_token'),
    );
  });
}

function sharing(make: Make): void {
  it('shares a folder, also twice', async (t) => {
    const { drive, folderId, colleague } = await make(t);
    await assert.rejects(drive.share(folderId, { email: 'nobody', role: 'reader' }), failsAs('refused'));
    if (colleague === null) return t.diagnostic('There is no other account to share with');
    const shared = await drive.share(folderId, { email: colleague, role: 'reader' });
    assert.deepEqual([shared.email, shared.role], [colleague, 'reader']);
    const again = await drive.share(folderId, { email: colleague, role: 'writer' });
    assert.deepEqual(again, { ...shared, role: 'writer' });
  });
}
