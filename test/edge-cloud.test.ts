import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PASSWORD } from './support/accounts.ts';
import { type Cloud, startCloud } from './support/cloud.ts';
import { startEdge, type TestEdge, tell } from './support/edge.ts';

const PUBLIC = 'https://world.example.com';
const CHARACTERS = '/api/entity/character';

describe('a cloud behind its edge', () => {
  let cloud: Cloud;
  let edge: TestEdge;
  before(async () => {
    cloud = await startCloud({ env: { TRUSTED_PROXIES: 'loopback', PUBLIC_URL: PUBLIC } });
    const listen = { host: '127.0.0.1', port: 0 };
    const coreUrls = await Promise.all(cloud.cores.map(({ app }) => app.listen(listen)));
    edge = await startEdge({ accountsUrl: cloud.accountsUrl, coreUrls });
  });
  after(async () => {
    await edge.close();
    await cloud.close();
  });

  const ask = (method: string, path: string, headers: Record<string, string>, body?: object) =>
    tell(edge.url + path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const character = (id: string) => ({ entity_id: id, name: id });

  test('who signed in by cookies writes content with them; pages of other sites do not', async () => {
    const { email } = cloud.accounts.first;
    const login = await ask('POST', '/api/auth/web/login', { origin: PUBLIC }, { email, password: PASSWORD });
    assert.equal(login.status, 200, login.text);
    const cookie = (login.headers['set-cookie'] ?? []).map((each) => each.split(';')[0]).join('; ');
    const made = await ask('POST', CHARACTERS, { cookie, origin: PUBLIC }, character('mira'));
    assert.equal(made.status, 201, made.text);
    assert.equal((await ask('GET', `${CHARACTERS}/mira`, { cookie })).status, 200);
    const forged = await ask(
      'POST',
      CHARACTERS,
      { cookie, origin: 'https://evil.example' },
      character('tam'),
    );
    assert.deepEqual([forged.status, forged.body.code], [403, 'cross_origin']);
    assert.equal((await ask('GET', CHARACTERS, {})).status, 401);
  });

  test('one core stops while people write, and nobody notices', async () => {
    const { tenantId, email } = await cloud.accounts.register();
    await cloud.accounts.tenants.changePlan(tenantId, 'team', 2);
    const authorization = `Bearer ${(await cloud.accounts.login(email)).body.access_token}`;
    const refused: string[] = [];
    let writing = true;
    let written = 0;
    const write = async (writer: number): Promise<void> => {
      for (let each = 0; writing; each += 1) {
        const id = `w${writer}_${each}`;
        const made = await ask('POST', CHARACTERS, { authorization }, character(id));
        const found = await ask('GET', `${CHARACTERS}/${id}`, { authorization });
        written += 1;
        if (made.status !== 201 || found.status !== 200)
          refused.push(
            `${id}: ${made.status} ${found.status} ${made.body.detail} ${found.text.slice(0, 200)}`,
          );
      }
    };
    const enough = async (count: number) => {
      const goal = written + count;
      while (written < goal) await ask('GET', CHARACTERS, { authorization });
    };
    const writers = [0, 1, 2, 3].map(write);
    await enough(8);
    await cloud.cores[0].close();
    await enough(8);
    writing = false;
    await Promise.all(writers);
    assert.deepEqual(refused, []);
  });
});
