import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DriveCore, PUBLIC_URL, startDriveCore } from '../../../test/support/drive/drive-core.ts';
import { TABLE } from '../../../test/support/drive/objects.ts';

interface File {
  id: string;
  name: string;
  mimeType: string;
  size: string | null;
}
interface Refusal {
  code: string;
  detail: string;
  upgrade_url?: string;
}

const FILES = '/api/drive/files';
const MIRA = '# Mira\n\nReads the tides.\n';

async function startWithFiles(t: Parameters<typeof startDriveCore>[0]) {
  const drive = await startDriveCore(t);
  const { server } = drive;
  const world = drive.folder('World');
  return {
    ...drive,
    world,
    mira: server.owner.createFile(world, 'Mira "Vale"\r\n.md', MIRA),
    picture: server.owner.createFile(world, 'portrait.png', Buffer.from([0x89, 0x50, 0x4e, 0x47])),
    document: server.owner.createDocument(world, 'Letter', 'Dear Mira'),
  };
}

test('files are listed by folder and by query, in pages, and shown', async (t) => {
  const { ask, world, mira } = await startWithFiles(t);
  const list = async (query: string) =>
    ask<{ files: File[]; nextPageToken: string | null }>(200, 'GET', `${FILES}?${query}`);
  const all = await list(`folder_id=${world}`);
  assert.deepEqual(all.files.map(({ size }) => size).sort(), ['4', String(MIRA.length), null].sort());
  const first = await list(`folder_id=${world}&page_size=2`);
  const rest = await list(`folder_id=${world}&page_size=2&page_token=${first.nextPageToken}`);
  assert.deepEqual([first.files.length, rest.files.length, rest.nextPageToken], [2, 1, null]);
  const found = await list(
    `query=${encodeURIComponent("name contains 'Mira' and mimeType = 'text/markdown'")}`,
  );
  assert.deepEqual(
    found.files.map(({ id }) => id),
    [mira],
  );
  const file = await ask<File & { createdTime: string; webLink: string }>(200, 'GET', `${FILES}/${mira}`);
  assert.deepEqual([file.id, file.mimeType, file.size], [mira, 'text/markdown', String(MIRA.length)]);
  assert.ok(!Number.isNaN(Date.parse(file.createdTime)));
  await ask(422, 'GET', `${FILES}?page_size=101`);
  assert.equal((await ask<Refusal>(404, 'GET', `${FILES}/nowhere`)).code, 'no_such_file');
  // Addresses beside files in the drive's API.
  for (const [method, path, body] of [
    ['GET', 'generateIds'],
    ['GET', 'generateIds/download'],
    ['PUT', 'generateIds', { content: 'a' }],
    ['POST', 'generateIds/share', { email: 'ada@example.com' }],
  ] as const)
    assert.equal(
      (await ask<Refusal>(404, method, `${FILES}/${path}`, body && { body })).code,
      'no_such_file',
    );
  for (const id of ['a.b', "x'", '%2e%2ex', 'x'.repeat(129)]) await ask(422, 'GET', `${FILES}/${id}`);
});

test('a query that is no term of the language never reaches the drive, and one cannot leave its folder', async (t) => {
  const { ask, server, world, mira } = await startWithFiles(t);
  server.owner.createFile(server.rootId, 'outside.md', 'o');
  for (const query of [
    "name = 'a' or",
    "name = 'a') or (trashed = false",
    "name = 'a' fields=*",
    "name = 'unclosed",
    "name = 'a'&corpora=domain",
    'drop table',
    "appProperties has { key='a' and value='b' }",
  ]) {
    const before = server.requests.length;
    const { code, detail } = await ask<Refusal>(400, 'GET', `${FILES}?query=${encodeURIComponent(query)}`);
    assert.equal(code, 'invalid_query', query);
    assert.ok(detail.length > 0);
    assert.equal(server.requests.length, before);
  }
  const wide = encodeURIComponent("name contains 'Mira' or name contains 'outside'");
  const { files } = await ask<{ files: File[] }>(200, 'GET', `${FILES}?folder_id=${world}&query=${wide}`);
  assert.deepEqual(
    files.map(({ id }) => id),
    [mira],
  );
});

test('bytes are downloaded whole or in a range, as a file with a safe name', async (t) => {
  const { core, ask, mira, document, world, picture } = await startWithFiles(t);
  const download = (headers = {}, id = mira) => core.call('GET', `${FILES}/${id}/download`, { headers });
  const whole = await download();
  assert.deepEqual([whole.status, whole.text], [200, MIRA]);
  assert.equal(whole.headers['content-type'], 'application/octet-stream');
  assert.equal(whole.headers['x-content-type-options'], 'nosniff');
  assert.equal(
    whole.headers['content-disposition'],
    "attachment; filename*=UTF-8''Mira%20%22Vale%22%0D%0A.md",
  );
  assert.equal(whole.headers['content-length'], String(MIRA.length));
  const part = await download({ range: 'bytes=2-5' });
  assert.deepEqual([part.status, part.text], [206, 'Mira']);
  assert.equal(part.headers['content-range'], `bytes 2-5/${MIRA.length}`);
  assert.equal((await download({ range: 'bytes=-1' })).text, '\n');
  const rest = await download({ range: 'bytes=0-99999999999999999999' });
  assert.deepEqual([rest.status, rest.text], [206, MIRA]);
  assert.equal(rest.headers['content-range'], `bytes 0-${MIRA.length - 1}/${MIRA.length}`);
  const beyond = await download({ range: 'bytes=999-' });
  assert.deepEqual([beyond.status, beyond.headers['content-range']], [416, `bytes */${MIRA.length}`]);
  assert.equal((await download({ 'if-none-match': String(whole.headers.etag) })).status, 304);
  assert.equal((await download({}, picture)).headers['content-length'], '4');
  const refused = await ask<Refusal>(422, 'GET', `${FILES}/${document}/download`);
  assert.equal(refused.code, 'native_document');
  assert.equal((await ask<Refusal>(422, 'GET', `${FILES}/${world}/download`)).code, 'is_folder');
  await ask(404, 'GET', `${FILES}/nowhere/download`);
});

test('documents are exported as text, and other files are sent as they are', async (t) => {
  const { core, server, ask, mira, document, world } = await startWithFiles(t);
  const letter = await core.call('GET', `${FILES}/${document}/export`);
  assert.equal(letter.status, 200);
  assert.match(String(letter.headers['content-type']), /^text\/plain/);
  assert.match(letter.text, /Dear Mira/);
  assert.match(String(letter.headers['content-disposition']), /Letter\.txt/);
  const tides = server.owner.createFile(world, 'Tides', 'day,height', { mimeType: TABLE });
  const table = await core.call('GET', `${FILES}/${tides}/export`);
  assert.match(String(table.headers['content-type']), /^text\/plain/);
  assert.match(String(table.headers['content-disposition']), /Tides\.csv/);
  assert.match(table.text, /day,height/);
  assert.equal((await core.call('GET', `${FILES}/${mira}/export`)).text, MIRA);
  assert.equal((await ask<Refusal>(422, 'GET', `${FILES}/${world}/export`)).code, 'is_folder');
  await ask(404, 'GET', `${FILES}/nowhere/export`);
});

test('text is replaced, and what is no text is left alone', async (t) => {
  const { ask, server, mira, document, picture, world } = await startWithFiles(t);
  const put = <Body>(status: number, id: string, content: unknown = 'New words\n') =>
    ask<Body>(status, 'PUT', `${FILES}/${id}`, { body: { content } });
  interface Updated {
    modified: boolean;
    modified_time: string;
  }
  assert.equal((await put<Updated>(200, mira, MIRA)).modified, false);
  assert.equal((await put<Updated>(200, mira)).modified, true);
  assert.equal((await put<Updated>(200, mira)).modified, false);
  assert.ok(server.tree(world).some(({ text }) => text === 'New words\n'));
  assert.equal((await put<Refusal>(422, document)).code, 'native_document');
  assert.equal((await put<Refusal>(422, picture)).code, 'not_text');
  assert.equal((await put<Refusal>(422, world)).code, 'not_text');
  await put(404, 'nowhere');
  await put(422, mira, 7);
  server.setCanEdit(mira, false);
  assert.equal((await put<Refusal>(403, mira, 'x')).code, 'drive_forbidden');
  server.setCanEdit(mira, null);
  server.storageLimit = 1;
  assert.equal((await put<Refusal>(409, mira, 'y'.repeat(100))).code, 'quota_exceeded');
});

test('a file is shared, to be read unless more is said', async (t) => {
  const { ask, mira } = await startWithFiles(t);
  const share = (status: number, body: object, id = mira) =>
    ask<{ permission_id: string; email: string; role: string }>(status, 'POST', `${FILES}/${id}/share`, {
      body,
    });
  const given = await share(200, { email: 'ada@example.com' });
  assert.deepEqual([given.email, given.role], ['ada@example.com', 'reader']);
  assert.ok(given.permission_id);
  assert.equal((await share(200, { email: 'bob@example.com', role: 'writer' })).role, 'writer');
  await share(422, { email: 'bob@example.com', role: 'owner' });
  await share(422, { email: 'not a mail address' });
  await share(404, { email: 'ada@example.com' }, 'nowhere');
});

interface Exported {
  file_id: string;
  name: string;
  web_view_link: string;
  mime_type: string;
}

async function exported({ ask, server }: DriveCore, body: object): Promise<string> {
  const made = await ask<Exported>(200, 'POST', '/api/drive/export-entity', { body });
  assert.equal(made.mime_type, 'application/vnd.google-apps.document');
  const file = server.file(made.file_id);
  assert.ok(file);
  return server.owner.readText(made.file_id);
}

test('an entity becomes a document in the folder of the project, or in another', async (t) => {
  const drive = await startWithFiles(t);
  const { ask, server, world } = drive;
  const body = { name: 'Mira Vale', content: `---\nborn: 392\n---\n\n${MIRA}` };
  const nowhere = await ask<Refusal>(409, 'POST', '/api/drive/export-entity', { body });
  assert.equal(nowhere.code, 'no_folder_connected');
  await ask(200, 'POST', '/api/drive-storage/select-folder', { body: { folder_id: world } });
  const text = await exported(drive, body);
  assert.match(text, /born/);
  assert.match(text, /Reads the tides/);
  assert.ok(server.at('World/Mira Vale'));
  const other = drive.folder('Other');
  await exported(drive, { ...body, folder_id: other });
  assert.ok(server.at('Other/Mira Vale'));
  await ask(404, 'POST', '/api/drive/export-entity', { body: { ...body, folder_id: 'nowhere' } });
});

test('what is written needs a consent to write, and a role', async (t) => {
  const { core, consents, ask, mira, world } = await startWithFiles(t);
  const writes: [string, string, object][] = [
    ['POST', '/api/drive/export-entity', { name: 'a', content: 'b', folder_id: world }],
    ['PUT', `${FILES}/${mira}`, { content: 'x' }],
    ['POST', `${FILES}/${mira}/share`, { email: 'ada@example.com' }],
  ];
  const viewer = await core.registerViewer();
  for (const [method, url, body] of writes) await ask(403, method, url, { body, token: viewer });
  consents.consent = { ...consents.consent, scopes: ['https://www.googleapis.com/auth/drive.readonly'] };
  for (const [method, url, body] of writes) {
    const refused = await ask<Refusal>(403, method, url, { body });
    assert.deepEqual(
      [refused.code, refused.upgrade_url],
      ['insufficient_scope', `${PUBLIC_URL}/api/auth/oauth/google/drive`],
    );
  }
  await ask(200, 'GET', `${FILES}/${mira}`, { token: viewer });
});
