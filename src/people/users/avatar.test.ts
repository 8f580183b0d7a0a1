import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { type People, type Person, startPeople, uploadAvatar } from '../../../test/support/people.ts';
import { halves, pixel, pixelBomb } from '../../platform/images/images.conformance.ts';

const MB = 1024 * 1024;

forEachDatabase((_name, open) => {
  let people: People;
  let me: Person;
  before(async () => {
    people = await startPeople({ open });
    me = people.cast.viewer;
  });
  after(() => people.close());

  async function upload(
    bytes: Uint8Array,
    { as = me, ...form }: { as?: Person; name?: string; field?: string } = {},
  ) {
    const reply = await uploadAvatar(people, as, { bytes, ...form });
    return {
      status: reply.statusCode,
      body: reply.json<{ avatar_url: string; detail: string; code: string }>(),
    };
  }
  const urlOf = ({ id }: Person) => `/api/files/avatars/${id}.jpg`;
  const fetchPicture = (person = me, headers = {}) =>
    people.app.inject({ method: 'GET', url: urlOf(person), headers });

  test('a picture is made small and upright, loses its metadata, and is served to anyone', async () => {
    assert.equal((await fetchPicture()).statusCode, 404);
    const source = await halves(1000, 500)
      .withExif({ IFD0: { Copyright: 'SECRET-OWNER' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { status, body } = await upload(source);
    assert.equal(status, 200, body.detail);
    assert.equal(body.avatar_url, urlOf(me));
    const reply = await fetchPicture();
    assert.equal(reply.statusCode, 200);
    assert.equal(reply.headers['content-type'], 'image/jpeg');
    assert.equal(reply.headers['x-content-type-options'], 'nosniff');
    assert.match(String(reply.headers['cache-control']), /max-age=60/);
    const picture = await sharp(reply.rawPayload).metadata();
    assert.deepEqual([picture.format, picture.width, picture.height], ['jpeg', 256, 512]);
    assert.equal(picture.exif, undefined);
    assert.ok(!reply.rawPayload.includes('SECRET'));
    const user = await people.ask(me, 'GET', '/api/users/current');
    assert.equal(user.body.avatar_url, urlOf(me));
  });

  test('what a client has already is not sent again', async () => {
    await upload(await halves(50, 50).webp().toBuffer());
    const { etag } = (await fetchPicture()).headers;
    const again = await fetchPicture(me, { 'if-none-match': etag });
    assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, '', etag]);
    await upload(await halves(60, 50).png().toBuffer());
    const changed = await fetchPicture(me, { 'if-none-match': etag });
    assert.equal(changed.statusCode, 200);
    assert.notEqual(changed.headers.etag, etag);
  });

  test('a transparent WebP under any name comes out on white', async () => {
    const clear = { r: 0, g: 0, b: 0, alpha: 0 };
    const source = await sharp({ create: { width: 20, height: 20, channels: 4, background: clear } })
      .webp()
      .toBuffer();
    assert.equal((await upload(source, { name: '../../evil.exe' })).status, 200);
    const [r = 0] = await pixel((await fetchPicture()).rawPayload, 5, 5);
    assert.ok(r > 250);
  });

  test('what is no picture, is broken or is too much is 400, and the picture before stays', async () => {
    await upload(await halves(50, 50).png().toBuffer());
    const { etag } = (await fetchPicture()).headers;
    const jpeg = await halves(900, 900).jpeg({ quality: 100 }).toBuffer();
    for (const [what, bytes] of [
      ['no bytes', Buffer.alloc(0)],
      ['text', Buffer.from('<script>alert(1)</script>')],
      ['gif', await halves(20, 20).gif().toBuffer()],
      ['half a picture', jpeg.subarray(0, jpeg.length / 2)],
      ['a head alone', jpeg.subarray(0, 20)],
      ['pixels without end', pixelBomb(20_000, 20_000)],
      ['a byte too many', Buffer.concat([jpeg, Buffer.alloc(5 * MB + 1 - jpeg.length)])],
      ['far too many', Buffer.concat([jpeg, Buffer.alloc(12 * MB)])],
    ] as const) {
      const { status, body } = await upload(bytes);
      assert.equal(status, 400, `${what}: ${JSON.stringify(body)}`);
      assert.ok(body.detail.length > 10);
    }
    assert.equal((await fetchPicture()).headers.etag, etag);
    assert.equal((await upload(jpeg, { field: 'picture' })).status, 422);
  });

  test('5 MB are taken', async () => {
    const jpeg = await halves(300, 300).jpeg().toBuffer();
    const { status, body } = await upload(Buffer.concat([jpeg, Buffer.alloc(5 * MB - jpeg.length)]));
    assert.equal(status, 200, body.detail);
  });

  test('many at once leave one whole picture', async () => {
    const sources = await Promise.all([100, 200, 300].map((width) => halves(width, 100).png().toBuffer()));
    const replies = await Promise.all([...sources, ...sources].map((source) => upload(source)));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
    const { width } = await sharp((await fetchPicture()).rawPayload).metadata();
    assert.ok([100, 200, 300].includes(width));
    assert.deepEqual(readdirSync(join(people.config.dataDir, 'uploads')), []);
  });

  test('a picture that cannot be stored is 500 and changes nothing', async () => {
    const folder = join(people.config.dataDir, 'avatars');
    const { etag } = (await fetchPicture()).headers;
    renameSync(folder, `${folder}-away`);
    writeFileSync(folder, '');
    const { status, body } = await upload(await halves(20, 30).png().toBuffer());
    assert.equal(status, 500);
    assert.ok(!body.detail.includes(folder));
    renameSync(folder, `${folder}-file`);
    renameSync(`${folder}-away`, folder);
    assert.equal((await fetchPicture()).headers.etag, etag);
  });

  test('the picture goes with the account', async () => {
    const other = await people.person('viewer');
    await upload(await halves(20, 20).png().toBuffer(), { as: other });
    const file = join(people.config.dataDir, 'avatars', `${other.id}.jpg`);
    assert.ok(existsSync(file) && readFileSync(file).length > 0);
    await people.ask(people.cast.admin, 'DELETE', `/api/users/${other.id}`);
    assert.equal((await fetchPicture(other)).statusCode, 404);
    assert.ok(!existsSync(file));
  });

  test('addresses that are no user lead nowhere', async () => {
    for (const id of ['..%2f..%2fcanonry', '%2e%2e', 'a%00b', 'x'.repeat(65), '.']) {
      const reply = await people.app.inject({ url: `/api/files/avatars/${id}.jpg` });
      assert.ok([400, 404, 422].includes(reply.statusCode), `${id}: ${reply.statusCode}`);
    }
  });
});
