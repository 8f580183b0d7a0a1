import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { type DriveServerOptions, startDriveServer } from './drive-server.ts';
import { DOCUMENT, FOLDER } from './objects.ts';

interface Json {
  [name: string]: unknown;
}

async function make(t: TestContext, options?: DriveServerOptions) {
  const server = await startDriveServer(options);
  t.after(() => server.close());
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(path.startsWith('http') ? path : `${server.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${server.token}`, ...(init.headers as Record<string, string>) },
    });
  const api = async (method: string, path: string, body?: object, status = 200): Promise<Json> => {
    const response = await ask(path, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    assert.equal(response.status, status, text);
    return text === '' ? {} : JSON.parse(text);
  };
  const get = (path: string, status?: number) => api('GET', `/drive/v3/${path}`, undefined, status);
  const reasonOf = async (method: string, path: string, status: number, body?: object) => {
    const { error } = (await api(method, path, body, status)) as { error: { errors: Json[]; code: number } };
    assert.equal(error.code, status);
    return error.errors[0]?.reason;
  };
  const folder = async (name: string, parent = 'root') =>
    String((await api('POST', '/drive/v3/files', { name, mimeType: FOLDER, parents: [parent] })).id);
  const upload = async (metadata: object, content: string, type = 'text/markdown', status = 200) => {
    const body = [
      '--b',
      'Content-Type: application/json; charset=UTF-8',
      '',
      JSON.stringify(metadata),
      '--b',
      `Content-Type: ${type}`,
      '',
      content,
      '--b--',
      '',
    ].join('\r\n');
    const response = await ask('/upload/drive/v3/files?uploadType=multipart&fields=*', {
      method: 'POST',
      body,
      headers: { 'content-type': 'multipart/related; boundary=b' },
    });
    const answer = (await response.json()) as Json;
    assert.equal(response.status, status, JSON.stringify(answer));
    return answer;
  };
  const find = async (q: string, more = '') =>
    ((await get(`files?q=${encodeURIComponent(q)}${more}`)).files as Json[]).map(({ name }) => name);
  const startToken = async () => String((await get('changes/startPageToken')).startPageToken);
  const changes = async (token: string, more = '') => {
    const answer = await get(`changes?pageToken=${token}${more}`);
    const { newStartPageToken, nextPageToken } = answer;
    return { newStartPageToken, nextPageToken, changes: answer.changes as Json[] };
  };
  return { server, ask, api, get, reasonOf, folder, upload, find, startToken, changes };
}

test('a file is made, read, changed, moved and removed', async (t) => {
  const { server, ask, api, get, reasonOf, folder, upload } = await make(t);
  const [world, other] = [await folder('World'), await folder('Other')];
  const made = await upload(
    { name: 'Ada.md', parents: [world], appProperties: { a: '1' } },
    'Ada\r\n\r\n--a',
  );
  assert.deepEqual(
    [made.parents, made.size, made.ownedByMe, made.fileExtension, made.mimeType],
    [[world], '10', true, 'md', 'text/markdown'],
  );
  const { id } = made;
  const path = `/drive/v3/files/${id}`;
  assert.equal(await (await ask(`${path}?alt=media`)).text(), 'Ada\r\n\r\n--a');
  const part = await ask(`${path}?alt=media`, { headers: { range: 'bytes=1-2' } });
  assert.deepEqual(
    [part.status, part.headers.get('content-range'), await part.text()],
    [206, 'bytes 1-2/10', 'da'],
  );
  assert.equal((await ask(`${path}?alt=media`, { headers: { range: 'bytes=10-' } })).status, 416);
  assert.deepEqual(await get(`files/${id}`), {
    kind: 'drive#file',
    id,
    name: 'Ada.md',
    mimeType: 'text/markdown',
  });
  const moved = await api(
    'PATCH',
    `${path}?addParents=${other}&removeParents=${world}&fields=parents,version`,
    {},
  );
  assert.deepEqual(moved.parents, [other]);
  assert.ok(Number(moved.version) > Number(made.version));
  assert.equal(await reasonOf('PATCH', `${path}?addParents=${world}`, 403, {}), 'cannotAddParent');
  assert.equal(await reasonOf('PATCH', path, 403, { parents: [world] }), 'fieldNotWritable');
  const patched = await ask(`/upload${path}?uploadType=media&fields=headRevisionId,md5Checksum`, {
    method: 'PATCH',
    body: 'Ada\r\n\r\n--a',
    headers: { 'content-type': 'text/markdown' },
  });
  const head = (await patched.json()) as Json;
  assert.notEqual(head.headRevisionId, made.headRevisionId);
  assert.equal(head.md5Checksum, made.md5Checksum);
  const { revisions, nextPageToken } = await get(`files/${id}/revisions?pageSize=1`);
  assert.equal((revisions as Json[])[0]?.id, made.headRevisionId);
  const rest = await get(`files/${id}/revisions?pageSize=1&pageToken=${nextPageToken}`);
  assert.equal((rest.revisions as Json[])[0]?.id, head.headRevisionId);
  assert.equal(
    await (await ask(`${path}/revisions/${made.headRevisionId}?alt=media`)).text(),
    'Ada\r\n\r\n--a',
  );
  await api('PATCH', `/drive/v3/files/${other}`, { trashed: true });
  const trashed = await get(`files/${id}?fields=trashed,explicitlyTrashed`);
  assert.deepEqual(trashed, { trashed: true, explicitlyTrashed: false });
  await api('DELETE', `/drive/v3/files/${other}`, undefined, 204);
  assert.equal(await reasonOf('GET', path, 404), 'notFound');
  assert.deepEqual(server.tree(), [{ fileId: world, path: 'World/', text: null }]);
});

test('ids are made before, used once, and not for documents', async (t) => {
  const { api, get, upload } = await make(t);
  const ids = (await get('files/generateIds?count=3')).ids as string[];
  assert.equal(ids.length, 3);
  await upload({ id: ids[0], name: 'a' }, 'a');
  const codeOf = (answer: Json) => (answer.error as { errors: Json[] }).errors[0]?.reason;
  assert.equal(codeOf(await upload({ id: ids[0], name: 'a' }, 'a', 'text/plain', 409)), 'fileIdInUse');
  assert.equal(codeOf(await upload({ id: 'mine', name: 'a' }, 'a', 'text/plain', 400)), 'invalid');
  const document = { id: ids[1], name: 'a', mimeType: DOCUMENT };
  assert.equal(codeOf(await upload(document, '<p>a</p>', 'text/html', 400)), 'badRequest');
  await api('POST', '/drive/v3/files', { id: ids[2], name: 'f', mimeType: FOLDER });
});

test('queries find what they say', async (t) => {
  const { server, find, folder, upload, reasonOf } = await make(t);
  const world = await folder('World');
  await upload({ name: "Ada's note.md", parents: [world], description: 'queen' }, 'of the north');
  await upload(
    { name: 'Bo.txt', parents: [world], modifiedTime: '2020-01-01T00:00:00.000Z' },
    'x',
    'text/plain',
  );
  server.owner.trash(await folder('Old', world));
  const order = '&orderBy=folder,name';
  assert.deepEqual(await find(`'${world}' in parents`, order), ['Old', "Ada's note.md", 'Bo.txt']);
  assert.deepEqual(await find(`'${world}' in parents and trashed = false`, '&orderBy=name desc'), [
    'Bo.txt',
    "Ada's note.md",
  ]);
  assert.deepEqual(await find("name = 'Ada\\'s note.md'"), ["Ada's note.md"]);
  assert.deepEqual(await find("name contains 'no' and not (mimeType = 'text/plain' or trashed = true)"), [
    "Ada's note.md",
  ]);
  assert.deepEqual(await find("name contains 'ote'"), []);
  assert.deepEqual(await find("fullText contains 'queen north'"), ["Ada's note.md"]);
  assert.deepEqual(await find("modifiedTime < '2021-01-01T00:00:00'"), ['Bo.txt']);
  assert.deepEqual(await find(`mimeType = '${FOLDER}' and 'root' in parents`), ['World']);
  for (const wrong of [
    "name = 'a",
    'name = a',
    "size > '1'",
    "name = 'a' and",
    "trashed = 'true'",
    "(name = 'a'",
  ])
    assert.equal(await reasonOf('GET', `/drive/v3/files?q=${encodeURIComponent(wrong)}`, 400), 'invalid');
});

test('lists come in pages and fields in parts', async (t) => {
  const { server, get, reasonOf } = await make(t);
  for (let number = 0; number < 5; number += 1) server.owner.createFile(server.rootId, `${number}.md`, 'x');
  const fields = 'nextPageToken,files(name,owners(emailAddress),capabilities/canEdit)';
  const first = await get(`files?pageSize=3&orderBy=name&fields=${fields}`);
  assert.deepEqual((first.files as Json[])[2], {
    name: '2.md',
    owners: [{ emailAddress: server.account.emailAddress }],
    capabilities: { canEdit: true },
  });
  const next = `files?pageSize=3&orderBy=name&pageToken=${first.nextPageToken}`;
  const second = await get(next);
  assert.deepEqual(
    [second.kind, second.incompleteSearch, second.nextPageToken, (second.files as Json[]).length],
    ['drive#fileList', false, undefined, 2],
  );
  for (const wrong of ['files(nonsense)', 'files(name', 'files(name(a))', 'kind,,'])
    assert.equal(await reasonOf('GET', `/drive/v3/files?fields=${wrong}`, 400), 'invalidParameter');
  assert.equal(await reasonOf('GET', '/drive/v3/about', 400), 'required');
  server.loseTokens();
  assert.equal(await reasonOf('GET', `/drive/v3/${next}`, 400), 'invalid');
});

test('changes of a file are listed once, removals too, and only what the app sees', async (t) => {
  const { server, api, changes, startToken, folder, upload, get } = await make(t);
  const token = await startToken();
  const world = await folder('World');
  const { id } = await upload({ name: 'a.md', parents: [world] }, 'a');
  const ada = server.person('Ada');
  ada.edit(String(id), 'b');
  const hidden = ada.createFile(world, 'hidden.md', 'h', { visible: false });
  const all = await changes(
    token,
    `&fields=newStartPageToken,changes(removed,fileId,file(name,lastModifyingUser(me)))`,
  );
  assert.deepEqual(all.changes, [
    { removed: false, fileId: world, file: { name: 'World', lastModifyingUser: { me: true } } },
    { removed: false, fileId: id, file: { name: 'a.md', lastModifyingUser: { me: false } } },
  ]);
  await get(`files/${hidden}`, 404);
  const last = String(all.newStartPageToken);
  server.pick(hidden);
  ada.remove(String(id));
  const page = await changes(last, '&pageSize=1');
  assert.deepEqual([page.changes[0]?.fileId, page.newStartPageToken], [hidden, undefined]);
  const end = await changes(String(page.nextPageToken));
  assert.deepEqual([end.changes[0]?.removed, end.changes[0]?.fileId], [true, id]);
  server.unpick(world);
  assert.deepEqual(
    (await changes(String(end.newStartPageToken))).changes.map(({ removed }) => removed),
    [true, true],
  );
  server.loseTokens();
  await api('GET', `/drive/v3/changes?pageToken=${last}`, undefined, 400);
  server.expiredTokenStatus = 410;
  await api('GET', `/drive/v3/changes?pageToken=${last}`, undefined, 410);
  assert.deepEqual((await changes(await startToken())).changes, []);
});

test('a large content goes in pieces that resume where they broke off', async (t) => {
  const { server, ask, get } = await make(t);
  const unit = 256 * 1024;
  const content = Buffer.alloc(3 * unit + 5, 'abc');
  const begin = () =>
    ask('/upload/drive/v3/files?uploadType=resumable&fields=size,name', {
      method: 'POST',
      body: JSON.stringify({ name: 'large.bin' }),
      headers: {
        'x-upload-content-type': 'application/octet-stream',
        'x-upload-content-length': `${content.length}`,
      },
    });
  const location = (await begin()).headers.get('location') ?? '';
  const put = (first: number, last: number) =>
    ask(location, {
      method: 'PUT',
      body: content.subarray(first, last),
      headers: { 'content-range': `bytes ${first}-${last - 1}/${content.length}` },
    });
  const ask308 = async () => {
    const response = await ask(location, {
      method: 'PUT',
      headers: { 'content-range': `bytes */${content.length}` },
    });
    return [response.status, response.headers.get('range')];
  };
  assert.deepEqual(await ask308(), [308, null]);
  assert.equal((await put(0, 1000)).status, 400);
  assert.equal((await put(0, unit)).headers.get('range'), `bytes=0-${unit - 1}`);
  server.faults.next({ connection: 'cut-upload' });
  await assert.rejects(put(unit, 3 * unit + 5));
  assert.deepEqual(await ask308(), [308, `bytes=0-${2 * unit - 1}`]);
  await server.restart();
  const done = await put(2 * unit, 3 * unit + 5);
  assert.deepEqual(
    [done.status, await done.json()],
    [200, { name: 'large.bin', size: String(content.length) }],
  );
  assert.equal((await ask308())[0], 200);
  const { md5Checksum } = await get(`files/${server.at('large.bin')?.id}?fields=md5Checksum`);
  assert.equal(md5Checksum, server.at('large.bin')?.revisions[0]?.md5);
  assert.deepEqual(server.at('large.bin')?.revisions[0]?.content, content);
  server.loseUploads();
  assert.equal((await put(0, unit)).status, 404);
});

test('documents are converted, exported and not downloaded', async (t) => {
  const { server, ask, reasonOf, upload } = await make(t);
  const { id } = await upload(
    { name: 'Doc', mimeType: DOCUMENT },
    '<h1>T</h1><p>a &amp; <b>b</b></p>',
    'text/html',
  );
  const as = async (type: string) =>
    (await ask(`/drive/v3/files/${id}/export?mimeType=${type}`))
      .arrayBuffer()
      .then((bytes) => Buffer.from(bytes).toString());
  assert.equal(await as('text/plain'), '\ufeffT\r\na & b');
  assert.equal(await as('text/markdown'), '# T\na & **b**');
  assert.equal(await as('text/html'), '<h1>T</h1><p>a &amp; <b>b</b></p>');
  assert.equal(await reasonOf('GET', `/drive/v3/files/${id}?alt=media`, 403), 'fileNotDownloadable');
  const big = server.owner.createDocument(server.rootId, 'Big', 'x'.repeat(11 * 1024 * 1024));
  assert.equal(
    await reasonOf('GET', `/drive/v3/files/${big}/export?mimeType=text/plain`, 403),
    'exportSizeLimitExceeded',
  );
  const plain = server.owner.createFile(server.rootId, 'a.md', 'x');
  assert.equal(
    await reasonOf('GET', `/drive/v3/files/${plain}/export?mimeType=text/plain`, 403),
    'fileNotExportable',
  );
});

test('a batch answers each of its requests', async (t) => {
  const { server, ask } = await make(t);
  const part = (id: number, line: string, body = '') =>
    [
      `--x`,
      'Content-Type: application/http',
      `Content-ID: <item${id}>`,
      '',
      line,
      'Content-Type: application/json',
      '',
      body,
      '',
    ].join('\r\n');
  const body = [
    part(1, 'POST /drive/v3/files?fields=name', JSON.stringify({ name: 'A', mimeType: FOLDER })),
    part(2, 'GET /drive/v3/files/none HTTP/1.1'),
    '--x--',
  ].join('');
  server.faults.next({ match: /^GET .*none$/, status: 403, reason: 'userRateLimitExceeded' });
  const response = await ask('/batch/drive/v3', {
    method: 'POST',
    body,
    headers: { 'content-type': 'multipart/mixed; boundary=x' },
  });
  const text = await response.text();
  assert.match(response.headers.get('content-type') ?? '', /^multipart\/mixed; boundary=batch_/);
  assert.match(text, /Content-ID: <response-item1>\r\n\r\nHTTP\/1\.1 200 OK\r\n[^{]*\{\s*"name": "A"\s*\}/);
  assert.match(text, /<response-item2>\r\n\r\nHTTP\/1\.1 403 Forbidden/);
  assert.deepEqual(server.requests.at(-1)?.batched, ['POST /drive/v3/files', 'GET /drive/v3/files/none']);
});

test('tokens, scopes, rights and room are checked', async (t) => {
  const { server, get, api, reasonOf, upload } = await make(t);
  const { id } = await upload({ name: 'a' }, 'aaaa');
  server.storageLimit = 6;
  const about = await get('about?fields=user,storageQuota');
  assert.deepEqual((about.storageQuota as Json).usage, '4');
  assert.equal((about.user as Json).emailAddress, 'writer@example.com');
  const full = await upload({ name: 'b' }, 'bbbb', 'text/plain', 403);
  assert.equal((full.error as { errors: Json[] }).errors[0]?.reason, 'storageQuotaExceeded');
  server.setCanEdit(String(id), false);
  assert.equal(
    await reasonOf('PATCH', `/drive/v3/files/${id}`, 403, { name: 'c' }),
    'insufficientFilePermissions',
  );
  server.expireToken();
  assert.equal(await reasonOf('GET', `/drive/v3/files/${id}`, 401), 'authError');
  server.issueToken();
  const shared = { type: 'user', role: 'writer', emailAddress: 'ada@example.com' };
  server.setCanEdit(String(id), null);
  const permission = await api(
    'POST',
    `/drive/v3/files/${id}/permissions?fields=id,role,emailAddress`,
    shared,
  );
  assert.deepEqual([permission.role, permission.emailAddress], ['writer', 'ada@example.com']);
  server.scopes.clear();
  assert.equal(await reasonOf('GET', `/drive/v3/files/${id}`, 403), 'insufficientPermissions');
});

test('shared drives are found only when asked for', async (t) => {
  const { server, get, api, find, changes, startToken } = await make(t);
  const drive = server.addSharedDrive();
  const token = await startToken();
  const id = server.person('Ada').createFile(drive, 'a.md', 'a');
  await get(`files/${id}`, 404);
  const file = await get(`files/${id}?supportsAllDrives=true&fields=driveId,ownedByMe`);
  assert.deepEqual(file, { driveId: drive });
  const both = '&includeItemsFromAllDrives=true&supportsAllDrives=true';
  assert.deepEqual(await find("name = 'a.md'"), []);
  assert.deepEqual(await find("name = 'a.md'", both), ['a.md']);
  assert.deepEqual(await find('trashed = false', `${both}&corpora=drive&driveId=${drive}`), ['a.md']);
  assert.equal((await changes(token)).changes.length, 0);
  assert.equal((await changes(token, both)).changes.length, 1);
  await api('PATCH', `/drive/v3/files/${id}?supportsAllDrives=true`, { name: 'b.md' });
});

test('live channels hear of changes, badly if asked for', async (t) => {
  const { server, api, reasonOf, startToken } = await make(t);
  const receiver = createServer((request, response) => {
    request.resume();
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    receiver.close();
    receiver.closeAllConnections();
  });
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const watch = { id: 'one', type: 'web_hook', address, token: 'secret' };
  const path = `/drive/v3/changes/watch?pageToken=${await startToken()}`;
  const channel = await api('POST', path, { ...watch, expiration: server.now() + 60_000 });
  assert.match(String(channel.expiration), /^\d{13}$/);
  assert.equal(await reasonOf('POST', path, 400, watch), 'channelIdNotUnique');
  const change = () => server.owner.createFolder(server.rootId, 'a');
  change();
  server.notifications.isDoubled = true;
  change();
  server.notifications.lose = 1;
  change();
  await server.notifications.idle();
  const heard = server.notifications.sent.map((headers) => [
    headers['x-goog-resource-state'],
    headers['x-goog-message-number'],
  ]);
  assert.deepEqual(heard, [
    ['sync', '1'],
    ['change', '2'],
    ['change', '3'],
    ['change', '3'],
  ]);
  Object.assign(server.notifications, { isDoubled: false, isReordered: true, delayMs: 5 });
  change();
  change();
  await server.notifications.idle();
  assert.deepEqual(
    server.notifications.sent.slice(4).map((headers) => headers['x-goog-message-number']),
    ['6', '5'],
  );
  assert.equal(await server.notifications.forge(address, { 'x-goog-channel-token': 'guessed' }), 200);
  await api('POST', '/drive/v3/channels/stop', { id: 'one', resourceId: channel.resourceId }, 204);
  assert.equal(await reasonOf('POST', '/drive/v3/channels/stop', 404, { id: 'one' }), 'notFound');
});

test('what goes wrong is what was asked for', async (t) => {
  const { server, ask, api, get, reasonOf, upload, find } = await make(t);
  const path = '/drive/v3/files';
  server.faults.next({ status: 403 });
  assert.equal(await reasonOf('GET', path, 403), 'rateLimitExceeded');
  server.faults.next({ status: 429, retryAfter: 3 });
  assert.equal((await ask(path)).headers.get('retry-after'), '3');
  for (const status of [412, 500, 502, 503]) {
    server.faults.next({ status });
    assert.equal((await ask(path)).status, status);
  }
  server.faults.next({ match: /^POST/, connection: 'reset', effect: 'done' });
  await assert.rejects(api('POST', path, { name: 'made', mimeType: FOLDER }));
  server.faults.next({ match: /^POST/, connection: 'reset' });
  await assert.rejects(api('POST', path, { name: 'not made', mimeType: FOLDER }));
  assert.deepEqual(await find('trashed = false'), ['made']);
  const { id } = await upload({ name: 'a.md' }, 'x'.repeat(1000));
  server.faults.next({ match: /alt=media/, connection: 'cut' });
  await assert.rejects(ask(`${path}/${id}?alt=media`).then((response) => response.text()));
  server.faults.next({ list: 'incomplete' });
  assert.equal((await get('files')).incompleteSearch, true);
  server.faults.next({ list: 'empty' });
  assert.deepEqual((await get('files')).files, []);
  server.faults.next({ list: 'short' });
  assert.equal(((await get('files')).files as Json[]).length, 1);
  server.faults.next({ pageToken: 'gone' });
  await get('changes?pageToken=1000', 410);
  server.faults.next({ every: 3, status: 503 });
  const statuses = [];
  for (let count = 0; count < 6; count += 1) statuses.push((await ask(path)).status);
  assert.deepEqual(statuses, [200, 200, 503, 200, 200, 503]);
  server.faults.clear();
  server.maxAtOnce = 0;
  server.faults.next({ times: 4, delayMs: 50 });
  await Promise.all([1, 2, 3, 4].map(() => ask(path)));
  assert.equal(server.maxAtOnce, 4);
  server.faults.next({ connection: 'silent' });
  await assert.rejects(ask(path, { signal: AbortSignal.timeout(50) }));
});

test('many files are listed in pages', async (t) => {
  const { server, get, changes } = await make(t);
  for (let folder = 0; folder < 20; folder += 1) {
    const id = server.owner.createFolder(server.rootId, `${folder}`);
    for (let file = 0; file < 1000; file += 1) server.owner.createFile(id, `${file}.md`, `${folder} ${file}`);
  }
  const seen = new Set<unknown>();
  let token: unknown = '';
  do {
    const page = await get(
      `files?pageSize=1000&fields=nextPageToken,files(id)${token && `&pageToken=${token}`}`,
    );
    for (const { id } of page.files as Json[]) seen.add(id);
    token = page.nextPageToken;
  } while (token);
  assert.equal(seen.size, 20_020);
  const first = await changes('1000', '&pageSize=1000&fields=nextPageToken,changes(fileId)');
  assert.equal(first.changes.length, 1000);
  const [{ id } = {}] = (await get(`files?q=name = '17'`)).files as Json[];
  assert.equal(((await get(`files?q='${id}' in parents&pageSize=1000`)).files as Json[]).length, 1000);
});
