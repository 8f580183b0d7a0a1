import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { freePort } from '../src/cli/cloud/programs.ts';
import { mailIn } from './support/accounts.ts';
import { cliWorld } from './support/cli.ts';
import { type Constellation, startConstellation } from './support/constellation.ts';
import { openTestPostgres } from './support/databases.ts';
import { NO_LIMITS } from './support/no-limits.ts';
import { agreeAs, createBrowser } from './support/oauth/browser.ts';
import { startOpenIdServer } from './support/oauth/openid-server.ts';
import { CLIENT, somebody } from './support/oauth/people.ts';
import { startServiceProcess } from './support/service-process.ts';
import { until } from './support/until.ts';

const PASSWORD = 'a long pass phrase';
const APP = 'canonry://signed-in';
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const REDIS_URL = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';

interface Tokens {
  access_token: string;
  refresh_token: string;
}

interface World {
  cloud: Constellation;
  /** Through the edge. */
  ask<Body>(
    method: string,
    path: string,
    options?: { token?: string; body?: unknown },
  ): Promise<{ status: number; body: Body; text: string }>;
  register(email: string, tenantName: string): Promise<void>;
  login(email: string): Promise<Tokens>;
  /** On the constellation's machine. */
  canonry(...args: string[]): Promise<Record<string, unknown>>;
  /** The tokens of somebody who signs in at the provider with an invitation. */
  joinByProvider(login: string, invitation: string): Promise<Tokens>;
}

async function startWorld(t: TestContext): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'constellation-'));
  const [content, accounts] = [await openTestPostgres(), await openTestPostgres()];
  const bindAddress = `127.0.0.1:${await freePort()}`;
  const people = new Map([['mara', somebody('mara@example.com')]]);
  const callback = `http://${bindAddress}/api/auth/oauth/google/callback`;
  const google = await startOpenIdServer([callback], people);
  const dataDir = join(folder, 'data');
  const cloud = await startConstellation(t, {
    ...NO_LIMITS,
    DATA_DIR: dataDir,
    BIND_ADDR: bindAddress,
    DATABASE_URL: content.url,
    ACCOUNTS_DATABASE_URL: accounts.url,
    REDIS_URL,
    OAUTH_GOOGLE_CLIENT_ID: CLIENT.clientId,
    OAUTH_GOOGLE_CLIENT_SECRET: CLIENT.clientSecret,
    OAUTH_GOOGLE_ISSUER: google.url,
    OAUTH_RETURN_URLS: APP,
  });
  t.after(async () => {
    await cloud.end('SIGTERM');
    await google.close();
    await content.close();
    await accounts.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const ask = caller(cloud.url);
  const tokensOf = async (path: string, body: object): Promise<Tokens> => {
    const reply = await ask<Tokens>('POST', path, { body });
    assert.ok(reply.status === 200 || reply.status === 201, reply.text);
    return reply.body;
  };
  const commands = cliWorld(t);
  return {
    cloud,
    ask,
    async register(email, tenantName) {
      const body = { email, password: PASSWORD, tenant_name: tenantName };
      const { status, text } = await ask('POST', '/api/auth/register', { body });
      if (status === 201) return;
      assert.equal(status, 202, text);
      const mail = await mailIn(join(dataDir, 'accounts', 'outbox'), email, 1);
      const { pathname, search } = new URL(/https?:\/\/\S+verify\S+/.exec(mail)?.[0] ?? '');
      assert.equal((await ask('POST', pathname + search)).status, 200);
    },
    login: (email) => tokensOf('/api/auth/login', { email, password: PASSWORD }),
    async canonry(...args) {
      const env = { DATA_DIR: dataDir, ACCOUNTS_DATABASE_URL: accounts.url };
      const { code, json, err } = await commands.runWith({ env }, ...args, '--json');
      assert.equal(code, 0, err);
      return json();
    },
    async joinByProvider(login, invitation) {
      const query = new URLSearchParams({ return_to: APP, code_challenge: CHALLENGE, invite: invitation });
      const page = await agreeAs(
        createBrowser(),
        `${cloud.url}/api/auth/oauth/google?${query}`,
        { login },
        { stopAt: ({ href }) => href.startsWith(APP) },
      );
      const code = page.url.searchParams.get('code');
      return tokensOf('/api/auth/oauth/exchange', { code, code_verifier: VERIFIER });
    },
  };
}

const caller =
  (url: string): World['ask'] =>
  async <Body>(method: string, path: string, { token, body }: { token?: string; body?: unknown } = {}) => {
    const reply = await fetch(url + path, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, text, body: JSON.parse(text || '{}') as Body };
  };

/** An editor's reads and saves until stopped; resolves to the failures. */
function keepWorking({ ask }: World, token: string) {
  let going = true;
  const wrong: string[] = [];
  const work = (async () => {
    for (let round = 1; going; round += 1) {
      const body = { fields: { want: `The ${round}th wish` } };
      for (const [method, rest] of [
        ['PUT', { body }],
        ['GET', {}],
      ] as const) {
        const { status, text } = await ask(method, '/api/entity/character/orla', { token, ...rest });
        if (status !== 200 || !text.includes(body.fields.want)) wrong.push(`${method} ${status} ${text}`);
      }
    }
  })();
  return async () => {
    going = false;
    await work;
    return wrong;
  };
}

test('a studio works in the cloud, whatever happens to its machines, keys and plan', async (t) => {
  const world = await startWorld(t);
  const { ask, canonry, cloud } = world;
  await world.register('operator@example.com', 'Operator');
  await world.register('owner@example.com', 'Studio');
  const tenants = (await canonry('tenant', 'list')) as { tenants: { name: string; slug: string }[] };
  const { slug = '' } = tenants.tenants.find(({ name }) => name === 'Studio') ?? {};
  await canonry('tenant', 'plan', slug, 'free', '--seats', '3');
  const owner = await world.login('owner@example.com');

  const invite = async (email: string, role: string): Promise<string> => {
    const body = { email, role };
    const made = await ask<{ token: string }>('POST', '/api/auth/create-invite', {
      token: owner.access_token,
      body,
    });
    assert.equal(made.status, 201, made.text);
    return made.body.token;
  };
  const accept = (token: string) =>
    ask<Tokens & { user_id: string; code: string }>('POST', '/api/auth/register-with-invite', {
      body: { token, password: PASSWORD },
    });
  const invitations = {
    viewer: await invite('vic@example.com', 'viewer'),
    leaver: await invite('lou@example.com', 'editor'),
    mara: await invite('mara@example.com', 'editor'),
  };
  const viewer = await accept(invitations.viewer);
  const leaver = await accept(invitations.leaver);
  assert.deepEqual([viewer.status, leaver.status], [201, 201]);
  const full = await accept(invitations.mara);
  assert.deepEqual([full.status, full.body.code], [422, 'seat_limit']);

  const left = await ask('POST', `/api/auth/users/${leaver.body.user_id}/deactivate`, {
    token: owner.access_token,
  });
  assert.equal(left.status, 200, left.text);
  const statusOfList = async (token: string) => (await ask('GET', '/api/entity/character', { token })).status;
  await until(async () => (await statusOfList(leaver.body.access_token)) === 401);
  const editor = await world.joinByProvider('mara', invitations.mara);

  const create = (token: string) =>
    ask('POST', '/api/entity/character', { token, body: { entity_id: 'orla', name: 'Orla' } });
  assert.equal((await create(viewer.body.access_token)).status, 403);
  const made = await create(editor.access_token);
  assert.equal(made.status, 201, made.text);
  assert.equal(
    (await ask('GET', '/api/entity/character/orla', { token: viewer.body.access_token })).status,
    200,
  );

  const changeTemplate = (token: string) =>
    ask('PUT', '/api/templates/character', { token, body: { frontmatter: { motto: '[Their own words]' } } });
  const closed = await changeTemplate(owner.access_token);
  assert.equal(closed.status, 403);
  assert.match(closed.text, /custom_templates/);
  await canonry('tenant', 'plan', slug, 'team');
  const refresh = async ({ refresh_token }: Tokens) =>
    (await ask<Tokens>('POST', '/api/auth/refresh', { body: { refresh_token } })).body;
  let upgraded = owner;
  await until(async () => {
    upgraded = await refresh(upgraded);
    return (await changeTemplate(upgraded.access_token)).status === 200;
  });

  const before = await refresh(editor);
  await canonry('keys', 'rotate');
  const after = await world.login('owner@example.com');
  for (const { access_token } of [before, after, await refresh(before)])
    assert.equal(await statusOfList(access_token), 200);
  assert.equal(await statusOfList(before.access_token), 200);

  const stopWorking = keepWorking(world, after.access_token);
  const core = cloud.process('core-1');
  process.kill(core.pid, 'SIGKILL');
  const headers = { authorization: `Bearer ${after.access_token}` };
  await until(async () => (await fetch(`${core.address}/api/entity/character`, { headers })).ok);
  assert.deepEqual(await stopWorking(), []);
});

test('the same people work with one process on SQLite', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'self-hosted-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const service = await startServiceProcess({ DATA_DIR: folder, REGISTRATION: 'invite' });
  t.after(() => service.end('SIGKILL'));
  const ask = caller(service.url);
  const register = { email: 'owner@example.com', password: PASSWORD, display_name: 'Owner' };
  assert.equal((await ask('POST', '/api/auth/register', { body: register })).status, 201);
  const login = async (email: string): Promise<string> => {
    const reply = await ask<Tokens>('POST', '/api/auth/login', { body: { email, password: PASSWORD } });
    assert.equal(reply.status, 200, reply.text);
    return reply.body.access_token;
  };
  const owner = await login('owner@example.com');
  const wanted = { 'mara@example.com': 'editor', 'vic@example.com': 'viewer' };
  for (const [email, role] of Object.entries(wanted)) {
    const invited = await ask<{ token: string }>('POST', '/api/invites', {
      token: owner,
      body: { email, role },
    });
    const body = { token: invited.body.token, password: PASSWORD, display_name: role };
    const accepted = await ask('POST', '/api/auth/accept-invite', { body });
    assert.equal(accepted.status, 201, accepted.text);
  }
  const create = (token: string) =>
    ask('POST', '/api/entity/character', { token, body: { entity_id: 'orla', name: 'Orla' } });
  assert.equal((await create(await login('vic@example.com'))).status, 403);
  assert.equal((await create(await login('mara@example.com'))).status, 201);
});
