import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startDriveServer } from '../../../../test/support/drive/drive-server.ts';
import { until } from '../../../../test/support/until.ts';
import { type Log, silentLog } from '../../../kit/log.ts';
import {
  begunContent,
  contentOf,
  driveConformance,
  failsAs,
  LARGE,
  makeFile,
  makeFolder,
  newId,
  type TestDrive,
} from '../drive.conformance.ts';
import { type Drive, DriveError, type DriveErrorCode, type DriveTokens } from '../drive.ts';
import { createGoogleDrive, type GoogleDriveOptions } from './google-drive.ts';

const QUICK = { pauseMs: 2 };
const HASTY = { answerMs: 1_000 };

function open(t: TestContext, tokens: DriveTokens, options: GoogleDriveOptions): Drive {
  const drives = createGoogleDrive(options);
  t.after(() => drives.close());
  return drives(tokens);
}

async function make(t: TestContext, options: GoogleDriveOptions = {}) {
  const server = await startDriveServer();
  t.after(() => server.close());
  const asked: (string | undefined)[] = [];
  const tokens: DriveTokens = {
    token: async (refused) => {
      asked.push(refused);
      if (server.isRevoked) throw new DriveError('revoked', 'Connect the account again');
      return refused === undefined ? server.token : server.issueToken();
    },
  };
  const drive = open(t, tokens, { ...QUICK, apiBase: server.url, ...options });
  const { fileId: folderId } = await makeFolder(drive, server.rootId, 'World');
  asked.length = 0;
  server.requests.length = 0;
  return {
    server,
    drive,
    asked,
    folderId,
    remove: async (fileId: string) => server.owner.remove(fileId),
    colleague: 'ada@example.com',
  } satisfies TestDrive & Record<string, unknown>;
}

driveConformance('the adapter to Google Drive, against a server of ours', make);

const realToken = process.env.TEST_DRIVE_ACCESS_TOKEN;
if (realToken) {
  const apiBase = process.env.TEST_DRIVE_API_BASE ?? 'https://www.googleapis.com';
  driveConformance('the adapter to Google Drive, against the drive itself', async (t) => {
    const drive = open(t, { token: async () => realToken }, { apiBase });
    const { fileId: folderId } = await makeFolder(drive, 'root', 'Tests of Canonry');
    t.after(() => drive.update(folderId, { trashed: true }));
    return {
      drive,
      folderId,
      remove: async (fileId) => {
        const headers = { authorization: `Bearer ${realToken}` };
        await fetch(`${apiBase}/drive/v3/files/${fileId}`, { method: 'DELETE', headers });
      },
      colleague: process.env.TEST_DRIVE_COLLEAGUE ?? null,
    };
  });
}

/** A drive whose answers the test gives. */
async function answering(t: TestContext, listener: RequestListener, options: GoogleDriveOptions = {}) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const apiBase = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return open(t, { token: async () => 'token-1' }, { ...QUICK, apiBase, ...options });
}

const countOf = (requests: readonly { method: string; path: string }[], match: RegExp) =>
  requests.filter(({ method, path }) => match.test(`${method} ${path}`)).length;

test('what failed for a while is repeated until it succeeds', async (t) => {
  const { server, drive, folderId } = await make(t, HASTY);
  const failures = [
    { status: 429 },
    { status: 403, reason: 'rateLimitExceeded' },
    { status: 403, reason: 'userRateLimitExceeded' },
    { status: 500 },
    { status: 503, retryAfter: 0 },
    { connection: 'cut' },
    { connection: 'reset' },
    { connection: 'silent' },
  ] as const;
  for (const failure of failures) {
    server.requests.length = 0;
    server.faults.next({ times: 2, ...failure });
    assert.equal((await drive.file(folderId))?.name, 'World', JSON.stringify(failure));
    assert.equal(server.requests.length, 3, JSON.stringify(failure));
  }
});

test('a drive that stays away fails after five tries', async (t) => {
  const { server, drive } = await make(t);
  const failures = [
    [{ status: 429 }, 'limited'],
    [{ status: 403, reason: 'userRateLimitExceeded' }, 'limited'],
    [{ status: 500 }, 'unavailable'],
    [{ connection: 'reset' }, 'unavailable'],
  ] as const;
  for (const [failure, code] of failures) {
    server.requests.length = 0;
    server.faults.next({ times: 10, ...failure });
    await assert.rejects(drive.about(), failsAs(code));
    assert.equal(server.requests.length, 5);
    server.faults.clear();
  }
});

test('a pause that is too long fails at once and tells how long it is', async (t) => {
  const { server, drive } = await make(t);
  server.faults.next({ status: 429, retryAfter: 31 });
  await assert.rejects(drive.about(), { code: 'limited', retryAfter: 31 });
  assert.equal(server.requests.length, 1);

  const now = Date.UTC(2026, 0, 1);
  const dated = await answering(
    t,
    (_, response) => response.writeHead(503, { 'retry-after': new Date(now + 90_000).toUTCString() }).end(),
    { clock: { now: () => now } },
  );
  await assert.rejects(dated.about(), { code: 'unavailable', retryAfter: 90 });
});

test('other failures are told apart and not repeated', async (t) => {
  const failures: [number, string | null, DriveErrorCode][] = [
    [400, 'badRequest', 'refused'],
    [403, 'insufficientPermissions', 'scope'],
    [403, 'ACCESS_TOKEN_SCOPE_INSUFFICIENT', 'scope'],
    [403, 'insufficientFilePermissions', 'forbidden'],
    [403, null, 'forbidden'],
    [403, 'storageQuotaExceeded', 'quota'],
    [403, 'teamDriveFileLimitExceeded', 'quota'],
    [403, 'exportSizeLimitExceeded', 'refused'],
    [403, 'dailyLimitExceeded', 'limited'],
    [403, 'sharingRateLimitExceeded', 'limited'],
    [404, 'notFound', 'not_found'],
    [409, 'fileIdInUse', 'exists'],
    [412, null, 'refused'],
    [302, null, 'unavailable'],
  ];
  let answer: (typeof failures)[number] = [200, null, 'refused'];
  const drive = await answering(t, (_, response) => {
    const [status, reason] = answer;
    const body = reason && { error: { code: status, errors: [{ reason }], message: 'Why it is so' } };
    response.writeHead(status, { location: '/elsewhere' }).end(body ? JSON.stringify(body) : '<h1>No</h1>');
  });
  for (answer of failures) {
    const before = drive.requests;
    await assert.rejects(drive.about(), failsAs(answer[2]), answer.join(' '));
    assert.equal(drive.requests, before + 1, answer.join(' '));
  }
});

test('answers that are too large or not understood fail', async (t) => {
  let body = '[]';
  const drive = await answering(t, (_, response) => response.end(body));
  for (body of ['null', '<h1>Welcome</h1>', `{"x":"${'x'.repeat(17 * 1024 * 1024)}"}`]) {
    const before = drive.requests;
    await assert.rejects(drive.about(), failsAs('unavailable'));
    assert.equal(drive.requests, before + 1);
  }
  body = '{}';
  await assert.rejects(drive.changes('1'), failsAs('unavailable'), 'without a token to go on from');
});

test('a token that has expired is replaced once, and a consent that was taken back ends all', async (t) => {
  const { server, drive, asked, folderId } = await make(t);
  const expired = server.token;
  server.expireToken();
  assert.ok(await drive.file(folderId));
  assert.deepEqual(asked, [undefined, expired]);
  server.expireToken();
  assert.ok((await drive.createFolders([{ fileId: await newId(drive), name: 'x', parentId: folderId }]))[0]);
  server.revoke();
  await assert.rejects(drive.file(folderId), { code: 'revoked', message: 'Connect the account again' });

  const refusing = await answering(t, (_, response) => response.writeHead(401).end());
  await assert.rejects(refusing.about(), failsAs('revoked'));
  assert.equal(refusing.requests, 2);
});

test('no error tells the token, and none an address with parameters', async (t) => {
  const drive = await answering(t, (request, response) => {
    const message = `${request.headers.authorization} see https://example.com/${request.url} for more`;
    response.writeHead(400).end(JSON.stringify({ error: { message } }));
  });
  await assert.rejects(drive.files({ term: "name = 'secret-name'" }), (error: Error) => {
    assert.match(error.message, /see https:\/\/example\.com\S* for more/);
    assert.doesNotMatch(JSON.stringify([error.message, error.cause, error]), /token-1|secret-name|fields/);
    return true;
  });
});

test('while one request waits for the drive, the others wait too', async (t) => {
  const lines: string[] = [];
  const log: Log = { ...silentLog, debug: (line) => void lines.push(line) };
  const arrivals: number[] = [];
  const listener: RequestListener = (_, response) => {
    arrivals.push(performance.now());
    if (arrivals.length === 1) response.writeHead(429, { 'retry-after': '1' }).end();
    else response.end('{"ids":["1"]}');
  };
  const drive = await answering(t, listener, { log });
  const first = drive.about();
  await until(() => lines.length === 1);
  await Promise.all([first, drive.newIds(1), drive.newIds(1)]);
  const [limited = 0, ...later] = arrivals;
  assert.equal(later.length, 3);
  assert.ok(later.every((at) => at - limited > 950));
  assert.match(lines.join(), /limited; once more in 1000 ms/);
});

test('at most eight requests are under way', async (t) => {
  const { server, drive, folderId } = await make(t);
  server.maxAtOnce = 0;
  server.faults.next({ times: 16, delayMs: 300 });
  await Promise.all(Array.from({ length: 16 }, () => drive.file(folderId)));
  assert.equal(server.maxAtOnce, 8);
});

test('folders whose creation was not answered are made once', async (t) => {
  const { server, drive, folderId: parentId } = await make(t);
  const ids = await drive.newIds(3);
  const folders = ids.map((fileId, at) => ({ fileId, name: `Folder ${at}`, parentId }));
  server.faults.next({ match: /batch/, connection: 'reset', effect: 'done' });
  const made = await drive.createFolders(folders);
  assert.deepEqual(
    made.map((each) => (each instanceof DriveError ? each.code : each.name)),
    ['Folder 0', 'Folder 1', 'Folder 2'],
  );
  assert.equal(server.tree(parentId).length, 3);
});

test('of a batch, only what failed for a while is sent again', async (t) => {
  const { server, drive, folderId: parentId } = await make(t);
  const foldersOf = async () =>
    (await drive.newIds(4)).map((fileId, at) => ({ fileId, name: `Folder ${at}`, parentId }));
  server.faults.next({ match: /^POST \/drive\/v3\/files$/, every: 2, times: 1, status: 403 });
  server.faults.next({ match: /^POST \/drive\/v3\/files$/, every: 2, times: 1, status: 503 });
  const made = await drive.createFolders(await foldersOf());
  assert.ok(made.every((each) => !(each instanceof DriveError)));
  const batches = server.requests.map(({ batched }) => batched.length).filter((length) => length > 0);
  assert.deepEqual([batches[0], batches.length], [4, 2]);
  assert.ok((batches[1] ?? 4) < 4);

  server.faults.next({ match: /^POST \/drive\/v3\/files$/ });
  server.faults.next({ match: /^POST \/drive\/v3\/files$/, times: 100, status: 500 });
  assert.deepEqual(
    (await drive.createFolders(await foldersOf())).map((each) =>
      each instanceof DriveError ? each.code : each.name,
    ),
    ['Folder 0', 'unavailable', 'unavailable', 'unavailable'],
  );
  await assert.rejects(drive.createFolders(await foldersOf()), failsAs('unavailable'));
});

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Counts from where the content was read. */
function countedContent(bytes: Buffer) {
  const opened: number[] = [];
  const from = (offset: number) => {
    opened.push(offset);
    return Readable.from([bytes.subarray(offset, offset + 100_000), bytes.subarray(offset + 100_000)]);
  };
  return { opened, content: { size: bytes.length, from } };
}

test('an upload that is cut goes on from what arrived', async (t) => {
  const { server, drive, folderId: parentId } = await make(t);
  const bytes = randomBytes(LARGE);
  const faults = [
    { connection: 'cut-upload' },
    { connection: 'reset', effect: 'done' },
    { status: 503 },
    { status: 429 },
  ] as const;
  for (const fault of faults) {
    const { opened, content } = countedContent(bytes);
    server.requests.length = 0;
    server.faults.next({ match: /^PUT .*upload_id/, ...fault });
    const file = { fileId: await newId(drive), name: 'large.bin', parentId, mimeType: 'image/png' };
    const made = await drive.create(file, content);
    assert.deepEqual([made.fileId, made.sha256], [file.fileId, sha256Of(bytes)], JSON.stringify(fault));
    const sent = server.requests.reduce((sum, { size }) => sum + size, 0);
    assert.ok(sent < 1.5 * LARGE, `${sent} bytes`);
    const isReopened = 'connection' in fault && fault.connection === 'cut-upload';
    assert.deepEqual([opened[0], opened.length], [0, isReopened || 'status' in fault ? 2 : 1]);
  }
});

test('the last piece is not sent again if only its answer was lost', async (t) => {
  const { server, drive, folderId: parentId } = await make(t);
  const bytes = randomBytes(6 * 1024 * 1024);
  const { fileId } = await makeFile(drive, parentId, 'a.bin', 'before');
  server.requests.length = 0;
  server.faults.next({ match: /^PUT .*upload_id/, connection: 'cut' });
  const content = { ...contentOf(bytes), mimeType: 'image/png' };
  assert.equal((await drive.update(fileId, { content })).sha256, sha256Of(bytes));
  assert.equal((await drive.revisions(fileId)).length, 2);
  assert.deepEqual(
    server.requests.filter(({ method }) => method === 'PUT').map(({ size }) => size),
    [bytes.length, 0],
  );
});

test('a document whose creation was not answered is made once', async (t) => {
  const { server, drive, folderId: parentId } = await make(t);
  const file = { fileId: '', name: 'Notes', parentId, mimeType: 'text/html' };
  server.faults.next({ match: /upload_id|multipart/, connection: 'reset', effect: 'done' });
  const made = await drive.create(
    { ...file, convertTo: 'application/vnd.google-apps.document' },
    contentOf('<p>x</p>'),
  );
  assert.equal(server.tree(parentId).length, 1);
  assert.equal(made.isNative, true);
});

test('a session that is gone begins anew, a few times', async (t) => {
  const { server, drive, folderId } = await make(t);
  const bytes = randomBytes(LARGE);
  server.faults.next({ match: /^PUT .*upload_id/, status: 404 });
  assert.equal((await makeFile(drive, folderId, 'a.bin', bytes)).sha256, sha256Of(bytes));
  assert.equal(countOf(server.requests, /^POST \/upload/), 2);
  server.faults.next({ match: /^PUT .*upload_id/, times: 10, status: 404 });
  await assert.rejects(makeFile(drive, folderId, 'b.bin', bytes), failsAs('unavailable'));
  assert.equal(countOf(server.requests, /^POST \/upload/), 5);
});

test('a session of an earlier process is left if it is of no use', async (t) => {
  const { server, drive, folderId: parentId } = await make(t);
  const bytes = randomBytes(LARGE);
  const faults = [
    { status: 403, reason: 'storageQuotaExceeded' },
    { connection: 'reset', times: 5 },
    // The pieces alone, each between two questions.
    { status: 503, every: 2, times: 5 },
  ] as const;
  for (const fault of faults) {
    const file = { fileId: await newId(drive), name: 'large.bin', parentId, mimeType: 'image/png' };
    const first = begunContent(bytes);
    await assert.rejects(drive.create(file, first.dying));
    const next = begunContent(bytes, first.sessions[0]);
    server.faults.next({ match: /^PUT .*upload_id/, ...fault });
    const made = await drive.create(file, next.content);
    assert.deepEqual([made.sha256, next.sessions.length], [sha256Of(bytes), 1], JSON.stringify(fault));
  }
});

test('a session that is noted tells no token, and stays noted while the drive is away', async (t) => {
  const { server, drive, folderId: parentId } = await make(t);
  const bytes = randomBytes(LARGE);
  const file = { fileId: await newId(drive), name: 'large.bin', parentId, mimeType: 'image/png' };
  const first = begunContent(bytes);
  await assert.rejects(drive.create(file, first.dying));
  const [path = ''] = first.sessions;
  assert.match(path, /upload_id=/);
  assert.ok(!path.includes(server.token));
  const away = begunContent(bytes, path);
  server.faults.next({ match: /upload/, status: 503, times: 10 });
  await assert.rejects(drive.create(file, away.content), failsAs('unavailable'));
  assert.deepEqual(away.sessions, []);
});

test('a small file that was not answered is made once', async (t) => {
  const { server, drive, folderId } = await make(t);
  server.faults.next({ match: /^POST \/upload/, connection: 'reset', effect: 'done' });
  await assert.rejects(makeFile(drive, folderId, 'a.md'), failsAs('exists'));
  assert.equal(server.tree(folderId).length, 1);
});

test("a content's own failure is passed on as it is", async (t) => {
  const { drive, folderId: parentId } = await make(t);
  const fault = new Error('The disk is gone');
  const from = () => new Readable({ read: (): void => {}, construct: (done) => done(fault) });
  for (const size of [10, LARGE]) {
    const file = { fileId: await newId(drive), name: 'a.md', parentId, mimeType: 'text/plain' };
    await assert.rejects(drive.create(file, { size, from }), (error) => error === fault);
    await assert.rejects(drive.create(file, { ...contentOf('short'), size }), failsAs('refused'));
    assert.equal(await drive.file(file.fileId), null);
  }
});

test('a download that breaks off or falls silent fails, one that is not read does not', async (t) => {
  const { server, drive, folderId } = await make(t);
  const bytes = randomBytes(4 * 1024 * 1024);
  const { fileId } = await makeFile(drive, folderId, 'a.bin', bytes);
  server.faults.next({ match: /alt=media/, connection: 'cut' });
  await assert.rejects(buffer((await drive.download(fileId)).body), failsAs('unavailable'));

  const hasty = open(t, { token: async () => server.token }, { ...HASTY, apiBase: server.url });
  const { body } = await hasty.download(fileId);
  await pause(2 * HASTY.answerMs);
  assert.equal(sha256Of(await buffer(body)), sha256Of(bytes));

  const stuck = await answering(t, (_, response) => response.write('a'), HASTY);
  await assert.rejects(buffer((await stuck.download('x')).body), failsAs('unavailable'));
});
