import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PLANS } from '../src/access/plans.ts';
import { sha256Hex } from '../src/kit/crypto.ts';
import type { AssetDb } from '../src/world/assets/assets.tables.ts';
import type { AccountsPerson } from './support/accounts.ts';
import { picture } from './support/asset-files.ts';
import { type Cloud, startCloud } from './support/cloud.ts';
import { subscribed } from './support/subscribed.ts';

interface Answer {
  code: string;
  detail: string;
  path: string;
  files: { accepted: string[]; rejected: { code: string }[] };
}

let cloud: Cloud;
let bytes: Buffer;
before(async () => {
  [cloud, bytes] = [await startCloud(), Buffer.from(await picture('teal'))];
});
after(() => cloud.close());

const call = (token: string, path: string, options: { body?: unknown; headers?: Record<string, string> }) =>
  cloud.cores[0].call<Answer>('POST', path, { token, ...options });

async function form(token: string, url: string, core = cloud.cores[0]) {
  const data = new FormData();
  data.append('file', new Blob([new Uint8Array(bytes)]), 'teal.png');
  const body = new Response(data);
  const reply = await core.app.inject({
    method: 'POST',
    url,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': body.headers.get('content-type') ?? '',
    },
    payload: Buffer.from(await body.arrayBuffer()),
  });
  return { status: reply.statusCode, body: reply.json<Answer>() };
}

const FILE = () => ({ sha256: sha256Hex(bytes), size: bytes.length, filename: 'teal.png' });

/** Every way in for a file, with its answer. */
const ways: Record<string, (token: string) => Promise<{ status: number; body: Answer }>> = {
  'a form': (token) => form(token, '/api/assets/upload'),
  "a form for an entity's picture": (token) => form(token, '/api/upload/character/mira/image'),
  'an upload in parts': (token) => {
    const headers = {
      'tus-resumable': '1.0.0',
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${Buffer.from('teal.png').toString('base64')}`,
    };
    return call(token, '/api/uploads', { headers });
  },
  'a batch': (token) => call(token, '/api/uploads/batches', { body: { files: [FILE()] } }),
  'an import': (token) => {
    const files = [
      { path: 'People/Ada.md', content: '![[teal.png]]\n' },
      { path: 'People/teal.png', content: bytes.toString('base64'), encoding: 'base64' },
    ];
    return call(token, '/api/import/smart', { body: { files, entity_type: 'character' } });
  },
};

async function world(plan: string): Promise<{ person: AccountsPerson; token: string }> {
  const person = await cloud.accounts.register();
  const token = plan === 'free' ? person.token : await subscribed(cloud, person, plan);
  const made = await call(token, '/api/entity/character', { body: { entity_id: 'mira', name: 'Mira' } });
  assert.equal(made.status, 201, made.text);
  return { person, token };
}

const assetsOf = async (token: string) =>
  (await cloud.cores[0].call<{ assets: unknown[] }>('GET', '/api/assets', { token })).body.assets;

/** Fills the recycle bin until this many bytes of the plan are left. */
async function leaveRoom({ tenantId }: AccountsPerson, plan: 'indie' | 'team', room: number): Promise<void> {
  await cloud.opened.database.tenant(tenantId).write((db: AssetDb) =>
    db
      .insertInto('asset_recycle_items')
      .values({
        item_id: `filler ${tenantId}`,
        tenant_id: tenantId,
        project_id: 'default',
        asset_id: 'filler',
        path: 'Assets/filler.bin',
        bin_path: '_RecycleBin/_assets/filler/filler.bin',
        home: 'Assets',
        mime_type: 'application/octet-stream',
        size_bytes: PLANS[plan].storage_bytes - room,
        sha256: '0'.repeat(64),
        entry: '{}',
        deleted_at: '2026-03-01T10:00:00.000Z',
        deleted_by: 'somebody',
        in_bin: 1,
      })
      .execute(),
  );
}

test('a plan without storage in the cloud takes no file, by any way, and says why', async () => {
  const { token } = await world('free');
  for (const [way, send] of Object.entries(ways)) {
    const { status, body } = await send(token);
    assert.deepEqual([status, body.code], [402, 'storage_limit'], way);
    assert.match(body.detail, /no storage for files in the cloud/, way);
  }
  assert.deepEqual(await assetsOf(token), []);
});

test('files fit until the plan is used up over all projects, the recycle bin included', async () => {
  const { person, token } = await world('indie');
  assert.equal((await form(token, '/api/assets/upload')).status, 201);
  await leaveRoom(person, 'indie', 2 * bytes.length);
  assert.equal((await form(token, '/api/assets/upload')).status, 201);
  bytes = Buffer.from(await picture('navy'));
  for (const [way, send] of Object.entries(ways)) {
    const { status, body } = await send(token);
    assert.deepEqual([status, body.code], [402, 'storage_limit'], way);
    assert.match(body.detail, /allows 25,000 MB/, way);
  }
  const pushed = {
    client_timestamp: '2026-03-01T10:00:00.000Z',
    entities: [],
    files: [
      { path: 'Assets/navy.png', content: bytes.toString('base64'), encoding: 'base64', base_sha256: null },
    ],
  };
  const push = await call(token, '/api/desktop/sync/push', { body: pushed });
  assert.deepEqual(
    push.body.files.rejected.map(({ code }) => code),
    ['storage_limit'],
    push.text,
  );
  assert.equal((await assetsOf(token)).length, 2);

  const login = (await cloud.accounts.login(person.email)).body;
  const fresh = { ...person, token: login.access_token, refreshToken: login.refresh_token };
  const more = await subscribed(cloud, fresh, 'team');
  assert.equal((await form(more, '/api/assets/upload')).status, 201);
});

test('uploads side by side, through several cores, never get more than there is', async () => {
  const { person, token } = await world('indie');
  const [hold_id, tenant_id] = [`filler ${person.tenantId}`, person.tenantId];
  const held = PLANS.indie.storage_bytes - 5 * bytes.length;
  await cloud.opened.database
    .tenant(tenant_id)
    .write((db: AssetDb) =>
      db
        .insertInto('storage_holds')
        .values({ hold_id, tenant_id, bytes: held, held_until: '2999-01-01T00:00:00.000Z' })
        .execute(),
    );
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) => form(token, '/api/assets/upload', cloud.cores[index % 2])),
  );
  const statuses = Map.groupBy(replies, ({ status }) => status);
  assert.deepEqual([statuses.get(201)?.length, statuses.get(402)?.length], [5, 15]);
  assert.equal((await assetsOf(token)).length, 5);
});
