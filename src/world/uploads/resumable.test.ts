import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type AssetWorld, picture, startAssetWorld } from '../../../test/support/asset-files.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';

const BYTES_TYPE = 'application/offset+octet-stream';
const CAPABILITIES = {
  'tus-resumable': '1.0.0',
  'tus-version': '1.0.0',
  'tus-extension': 'creation,expiration,termination',
  'tus-max-size': String(10 * 1024 ** 3),
};

const idOf = (url: string): string => url.slice('/api/uploads/'.length);

interface Sent {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  detail: string;
}

forEachDatabase((_name, open) => {
  let world: AssetWorld;
  let origin: URL;
  let folder: string;
  before(async () => {
    world = await startAssetWorld({ open });
    origin = new URL(await world.core.app.listen({ port: 0, host: '127.0.0.1' }));
    folder = join(world.core.config.dataDir, 'resumable', 'parts');
  });
  after(() => world.close());

  const base = (token = world.core.adminToken) => ({
    authorization: `Bearer ${token}`,
    'tus-resumable': '1.0.0',
  });
  const metadata = (fields: Record<string, string>) =>
    Object.entries(fields)
      .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
      .join(',');

  async function call(
    method: 'POST' | 'HEAD' | 'GET' | 'PATCH' | 'DELETE',
    url: string,
    headers = {},
  ): Promise<Sent> {
    const reply = await world.core.app.inject({ method, url, headers: { ...base(), ...headers } });
    const detail = method !== 'HEAD' && reply.statusCode >= 400 ? reply.json<Sent>().detail : '';
    return { status: reply.statusCode, headers: reply.headers as Sent['headers'], detail };
  }

  async function begin(size: number, fields: Record<string, string>): Promise<string> {
    const reply = await call('POST', '/api/uploads', {
      'upload-length': String(size),
      'upload-metadata': metadata({ entity_type: 'character', entity_id: 'mira', ...fields }),
    });
    assert.equal(reply.status, 201, reply.detail);
    return String(reply.headers.location);
  }

  const offsetOf = async (url: string) => {
    const reply = await call('HEAD', url);
    assert.equal(reply.status, 200);
    assert.equal(reply.headers['cache-control'], 'no-store');
    return Number(reply.headers['upload-offset']);
  };

  /** Sends the bytes, or fewer than announced: then the connection is cut without a reply. */
  function patch(
    url: string,
    bytes: Uint8Array,
    { offset, cutAfter, ...headers }: { offset: number; cutAfter?: number } & Record<string, string | number>,
  ): Promise<Sent | null> {
    return new Promise((resolve, reject) => {
      const sent = httpRequest(new URL(url, origin), {
        method: 'PATCH',
        headers: { ...base(), 'content-type': BYTES_TYPE, 'upload-offset': offset, ...headers },
      });
      sent.on('response', async (reply) => {
        const text = (await reply.toArray()).join('');
        const detail = text === '' ? '' : (JSON.parse(text) as Sent).detail;
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, detail });
      });
      if (cutAfter === undefined) {
        sent.on('error', reject);
        sent.end(bytes);
        return;
      }
      sent.on('error', () => {});
      sent.on('close', () => resolve(null));
      sent.setHeader('content-length', bytes.length);
      sent.write(bytes.subarray(0, cutAfter), () => sent.destroy());
    });
  }

  /** A part from byte 0, whose bytes the caller sends. */
  const startPatch = (url: string, length: number): ClientRequest =>
    httpRequest(new URL(url, origin), {
      method: 'PATCH',
      headers: { ...base(), 'content-type': BYTES_TYPE, 'upload-offset': 0, 'content-length': length },
    }).on('error', () => {});

  const stateOf = async (url: string) =>
    (await world.core.call<{ offset: number; asset_id: string | null }>('GET', url)).body;

  test('an upload that is cut anywhere goes on where it stood, and becomes the asset of its bytes', async () => {
    const bytes = Buffer.concat([await picture('teal'), randomBytes(900_000)]);
    const url = await begin(bytes.length, {
      filename: 'größe.png',
      tags: 'large, cut',
      filetype: 'image/png',
    });
    for (let offset = await offsetOf(url), cuts = 0; offset < bytes.length; offset = await offsetOf(url)) {
      const rest = bytes.subarray(offset);
      const cutAfter = cuts < 8 ? Math.min(rest.length - 1, randomInt(1, 150_000)) : undefined;
      const reply = await patch(url, rest, { offset, ...(cutAfter !== undefined && { cutAfter }) });
      // Bytes in flight may have arrived since the offset was read: 409, and it is read again.
      if (reply !== null) assert.ok([204, 409].includes(reply.status), reply.detail);
      cuts += 1;
    }
    const asset = await world.at('Characters/mira/images/größe.png');
    assert.deepEqual([asset.tags, asset.size_bytes], [['large', 'cut'], bytes.length]);
    assert.ok((await world.core.app.inject({ url: asset.url })).rawPayload.equals(bytes));
    assert.equal((await stateOf(url)).asset_id, asset.id);
    const again = await patch(url, new Uint8Array(), { offset: bytes.length });
    assert.equal(again?.status, 204);
    assert.equal((await world.list()).length, 1);
    assert.equal((await call('DELETE', url)).status, 204);
    assert.equal((await call('HEAD', url)).status, 404);
    assert.deepEqual(readdirSync(folder), []);
  });

  test('a part on a dead connection gives way to the one who asks where to go on', async () => {
    const url = await begin(10, { filename: 'slow.csv' });
    const stalled = startPatch(url, 10);
    const ended = new Promise((resolve) => stalled.on('error', resolve));
    stalled.write('a,b,');
    const arrived = () => statSync(join(folder, idOf(url), 'bytes')).size;
    while (arrived() < 4) await turn();
    assert.equal(await offsetOf(url), 4);
    const reply = await patch(url, Buffer.from('c\n1,2\n'), { offset: 4 });
    assert.equal(reply?.status, 204, reply?.detail);
    stalled.destroy();
    await ended;
    assert.equal((await world.at('Characters/mira/data/slow.csv')).size_bytes, 10);
  });

  test('senders that wait for their turn give way, too, to the one who asks last', async () => {
    const url = await begin(10, { filename: 'many.csv' });
    const turnOf = () => readFile(join(folder, idOf(url), 'turn'), 'utf8').catch(() => 'nobody');
    const stalled: ClientRequest[] = [];
    for (let before = await turnOf(); stalled.length < 8; before = await turnOf()) {
      const sent = startPatch(url, 10);
      sent.flushHeaders();
      stalled.push(sent);
      while ((await turnOf()) === before) await turn();
    }
    assert.equal(await offsetOf(url), 0);
    for (const sent of stalled) sent.destroy();
  });

  test('what was whole when the service went down becomes an asset with the next question', async () => {
    const url = await begin(4, { filename: 'whole.csv' });
    writeFileSync(join(folder, idOf(url), 'bytes'), 'a,b\n');
    assert.equal(await offsetOf(url), 4);
    assert.equal((await stateOf(url)).asset_id, (await world.at('Characters/mira/data/whole.csv')).id);
  });

  test('an asset that was made before a crash could be noted is not made twice', async () => {
    const bytes = Buffer.from('c,d\n');
    const url = await begin(bytes.length, { filename: 'once.csv' });
    await patch(url, bytes, { offset: 0 });
    const made = await stateOf(url);
    const info = join(folder, idOf(url), 'info.json');
    const said = JSON.parse(readFileSync(info, 'utf8')) as object;
    writeFileSync(info, JSON.stringify({ ...said, assetId: null }));
    writeFileSync(join(folder, idOf(url), 'bytes'), bytes);
    assert.deepEqual(await stateOf(url), made);
    assert.equal((await world.list('search=once')).length, 1);
  });

  test('what is refused says why, and leaves the upload as it was', async () => {
    const url = await begin(4, { filename: 'small.csv' });
    const bytes = Buffer.from('a,b\n');
    for (const [status, what, body, headers] of [
      [409, /is at byte 0/, bytes, { offset: 2 }],
      [413, /more bytes/, Buffer.from('a,b\nc,d\n'), { offset: 0 }],
      [413, /more bytes/, Buffer.from('a,b\nc,d\n'), { offset: 0, 'transfer-encoding': 'chunked' }],
      [412, /Tus-Resumable/, bytes, { offset: 0, 'tus-resumable': '0.2' }],
      [400, /Upload-Offset/, bytes, { offset: -1 }],
      [415, /application\/offset\+octet-stream/, bytes, { offset: 0, 'content-type': 'text/plain' }],
    ] as const) {
      const reply = await patch(url, body, headers);
      assert.equal(reply?.status, status, reply?.detail);
      assert.match(reply?.detail ?? '', what);
    }
    const elsewhere = { 'x-project-id': 'other' };
    for (const method of ['HEAD', 'GET', 'DELETE'] as const)
      assert.equal((await call(method, url, elsewhere)).status, 404);
    assert.equal(await offsetOf(url), 0);
  });

  test('what could never become an asset is refused before a byte of it is sent', async () => {
    const before = readdirSync(folder);
    const named = metadata({ filename: 'a.png' });
    for (const [status, length, said] of [
      [400, '', named],
      [400, '-4', named],
      [422, '0', named],
      [413, '10737418241', named],
      [422, '4', metadata({ filetype: 'text/csv' })],
      [422, '4', metadata({ filename: 'CH_new.md' })],
      [422, '4', metadata({ filename: 'a.png', overwrite: 'perhaps' })],
      [404, '4', metadata({ filename: 'a.png', entity_type: 'character', entity_id: 'nobody' })],
      [400, '4', 'filename not-base64!'],
      [400, '4', `${named},${named}`],
    ] as const) {
      const headers = { 'upload-length': length, 'upload-metadata': said };
      const reply = await call('POST', '/api/uploads', headers);
      assert.equal(reply.status, status, `${length} ${said}: ${reply.detail}`);
    }
    assert.deepEqual(readdirSync(folder), before);
  });

  test('an upload that many give up at once is given up once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const url = await begin(4, { filename: 'dropped.png' });
      const replies = await Promise.all(
        Array.from({ length: 20 }, async (_, at) => {
          for (let turns = 0; turns < at * 2; turns += 1) await turn();
          return call('DELETE', url);
        }),
      );
      const statuses = replies.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [204, ...Array.from({ length: 19 }, () => 404)]);
    }
  });

  test('an upload that nobody ends is gone after its time', async () => {
    const url = await begin(4, { filename: 'old.csv' });
    const id = idOf(url);
    const info = join(folder, id, 'info.json');
    const said = JSON.parse(readFileSync(info, 'utf8')) as object;
    writeFileSync(info, JSON.stringify({ ...said, begunAt: Date.now() - 8 * 24 * 3_600_000 }));
    assert.equal((await call('HEAD', url)).status, 410);
    await begin(4, { filename: 'new.csv' });
    assert.ok(!readdirSync(folder).includes(id));
  });

  test('what is spoken here is told before anybody signs in, and pages are told as well what they may send', async (t) => {
    const page = 'https://pages.example';
    const openToPages = await startAssetWorld({ open, env: { CORS_ORIGINS: page } });
    t.after(openToPages.close);
    const preflight = { origin: page, 'access-control-request-method': 'POST' };
    for (const { core } of [world, openToPages])
      for (const headers of [{}, { 'tus-resumable': '0.2.0' }, preflight]) {
        const reply = await core.app.inject({ method: 'OPTIONS', url: '/api/uploads', headers });
        const told = Object.entries(reply.headers).filter(([name]) => name.startsWith('tus-'));
        assert.deepEqual([reply.statusCode, Object.fromEntries(told)], [204, CAPABILITIES]);
        const { 'access-control-allow-methods': methods = '' } = reply.headers;
        assert.equal(methods.includes('POST'), core !== world.core);
        const isOfPage = core !== world.core && headers === preflight;
        assert.equal(reply.headers['access-control-allow-origin'], isOfPage ? page : undefined);
      }
  });

  test('what one person has under way is limited in bytes', async () => {
    const urls: string[] = [];
    for (let count = 0; count < 5; count += 1)
      urls.push(await begin(10 * 1024 ** 3 - 10_000_000, { filename: `long${count}.wav` }));
    const headers = {
      'upload-length': String(100_000_000),
      'upload-metadata': metadata({ entity_type: 'character', entity_id: 'mira', filename: 'more.wav' }),
    };
    const refused = await call('POST', '/api/uploads', headers);
    assert.equal(refused.status, 413, refused.detail);
    assert.match(refused.detail, /50 GB/);
    for (const url of urls) assert.equal((await call('DELETE', url)).status, 204);
    const { status, headers: reply } = await call('POST', '/api/uploads', headers);
    assert.equal(status, 201);
    await call('DELETE', String(reply.location));
  });
});
