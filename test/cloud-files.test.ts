import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { type AssetBody, picture } from './support/asset-files.ts';
import { startCloud } from './support/cloud.ts';

const HALF_MS = 150_000;
const PATH = 'Characters/mira/images/über & unter.png';

if (process.env.CANONRY_TEST_POSTGRES === 'off' || process.env.CANONRY_TEST_REDIS === 'off') {
  test('assets in the cloud', { skip: 'needs PostgreSQL and Redis' }, () => {});
} else {
  const cloud = await startCloud();
  after(() => cloud.close());
  const [one, other] = cloud.cores;
  const { tenantId } = cloud.accounts.first;
  // Addresses change every two and a half minutes: none may do so during the test.
  cloud.clock.pass(HALF_MS - (cloud.clock.now() % HALF_MS));
  const bytes = await picture('red');
  const tokenNow = async () => (await cloud.accounts.login(cloud.accounts.first.email)).body.access_token;
  const token = await tokenNow();

  const get = (url: string, headers: Record<string, string> = {}) => other.app.inject({ url, headers });
  /** Resolves to the asset as the list shows it. */
  async function asset(project: string): Promise<AssetBody> {
    const headers = { 'x-project-id': project };
    await one.call('POST', '/api/entity/character', {
      token,
      headers,
      body: { entity_id: 'mira', name: 'M' },
    });
    const place = join(cloud.contentDir, tenantId, project, PATH);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, bytes);
    await one.call('POST', '/api/assets/scan', { token, headers, body: {} });
    return listed(token, project);
  }
  async function listed(by: string, project = 'default'): Promise<AssetBody> {
    const headers = { 'x-project-id': project };
    const reply = await one.call<{ assets: AssetBody[] }>('GET', '/api/assets', { token: by, headers });
    const [first] = reply.body.assets;
    assert.ok(first, reply.text);
    return first;
  }

  let plain: AssetBody;
  let inOther: AssetBody;
  before(async () => {
    plain = await asset('default');
    inOther = await asset('second');
  });

  test('an address of a reply opens its asset without a token, at every core, for nobody but the browser to keep', async () => {
    for (const { url } of [plain, inOther]) {
      const reply = await get(url);
      assert.equal(reply.statusCode, 200, reply.body);
      assert.deepEqual(reply.rawPayload, bytes);
      assert.match(String(reply.headers['cache-control']), /^private/);
    }
    const made = await one.call<{ thumbnails: { url: string }[] }>('POST', '/api/assets/thumbnail', {
      token,
      body: { asset_id: plain.id, sizes: [128] },
    });
    assert.equal((await get(made.body.thumbnails[0]?.url ?? '')).headers['content-type'], 'image/webp');
    assert.equal((await listed(token)).url, plain.url, 'it is the same for a while, so that it may be kept');
  });

  test('a token opens it too, and another one nothing', async () => {
    const [bare = ''] = plain.url.split('?');
    assert.equal((await get(bare, { authorization: `Bearer ${token}` })).statusCode, 200);
    const stranger = await cloud.accounts.register('stranger@example.com');
    const theirs = (await cloud.accounts.login(stranger.email)).body.access_token;
    for (const url of [bare, plain.url]) {
      const reply = await get(url, { authorization: `Bearer ${theirs}` });
      assert.equal(reply.statusCode, 404, 'as what is not there');
    }
  });

  test('without, altered, or for another thing it opens nothing', async () => {
    const [bare = '', query = ''] = plain.url.split('?');
    const signed = new URLSearchParams(query).get('signed') ?? '';
    const [tenant = '', expires = '', mac = ''] = signed.split('.');
    const otherTenant = Buffer.from('somebody').toString('base64url');
    const altered = [
      `${otherTenant}.${expires}.${mac}`,
      `${tenant}.${Number(expires) + 3600}.${mac}`,
      `${tenant}.${expires}.${[...mac].reverse().join('')}`,
      `${signed}.x`,
      '..',
      '',
    ];
    const urls = [
      bare,
      ...altered.map((text) => `${bare}?signed=${text}`),
      `${plain.url}&project_id=second`,
      plain.url.replace('mira', 'mia'),
      `/api/assets?signed=${signed}`,
      `/api/assets/${plain.id}/thumbnail?signed=${signed}`,
    ];
    for (const url of urls) {
      const reply = await get(url);
      assert.equal(reply.statusCode, 401, `${url}: ${reply.body}`);
      assert.ok(!reply.body.includes(signed));
    }
  });

  test('it ends within five minutes; a later reply has a new one', async () => {
    cloud.clock.pass(2 * HALF_MS - 60_000);
    assert.equal((await get(plain.url)).statusCode, 200);
    cloud.clock.pass(60_000);
    const late = await get(plain.url);
    assert.equal(late.statusCode, 401);
    assert.match(late.json<{ detail: string }>().detail, /^This address has expired or was altered/);
    const { url } = await listed(await tokenNow());
    assert.notEqual(url, plain.url);
    assert.equal((await get(url)).statusCode, 200);
  });
}
