import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { tenantFolder } from '../../src/surfaces/folders.ts';
import { cliWorld } from './cli.ts';
import { type Constellation, startConstellation } from './constellation.ts';
import { openTestPostgres } from './databases.ts';
import { NO_LIMITS } from './no-limits.ts';
import { createBrowser } from './oauth/browser.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';

const PASSWORD = 'a long pass phrase';

export interface Answer<Body> {
  status: number;
  text: string;
  body: Body;
}

export type Ask = <Body = Record<string, unknown>>(
  method: string,
  path: string,
  body?: unknown,
) => Promise<Answer<Body>>;

/** As a program. */
const callerOf =
  (url: string, token?: string): Ask =>
  async <Body>(method: string, path: string, body?: unknown): Promise<Answer<Body>> => {
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

export interface Member {
  email: string;
  token: string;
  ask: Ask;
}

export interface Studio {
  cloud: Constellation;
  owner: Member;
  /** The folder of a tenant's project in the cloud. */
  folderOf(projectId: string): string;
  /** By an invitation. */
  join(email: string): Promise<Member>;
}

/** A cloud of processes, with a tenant whose plan has sync. */
export async function startStudio(
  t: TestContext,
  folder: string,
  redisUrl: string,
  env: Record<string, string> = {},
): Promise<Studio> {
  const [content, accounts] = [await openTestPostgres(), await openTestPostgres()];
  const dataDir = join(folder, 'cloud');
  const cloud = await startConstellation(t, {
    ...NO_LIMITS,
    DATA_DIR: dataDir,
    DATABASE_URL: content.url,
    ACCOUNTS_DATABASE_URL: accounts.url,
    REDIS_URL: redisUrl,
    ...env,
  });
  t.after(async () => {
    await cloud.end('SIGTERM');
    await Promise.all([content.close(), accounts.close()]);
  });
  const anybody = callerOf(cloud.url);
  const created = async <Body>(ask: Ask, path: string, body: object): Promise<Body> => {
    const reply = await ask<Body>('POST', path, body);
    assert.equal(reply.status, 201, reply.text);
    return reply.body;
  };
  async function login(email: string): Promise<Member> {
    const { body, text } = await anybody<{ access_token: string }>('POST', '/api/auth/login', {
      email,
      password: PASSWORD,
    });
    assert.ok(body.access_token, text);
    return { email, token: body.access_token, ask: callerOf(cloud.url, body.access_token) };
  }

  const email = 'mara@example.com';
  await created(anybody, '/api/auth/register', { email, password: PASSWORD, tenant_name: 'Studio' });
  const commands = cliWorld(t);
  const here = { DATA_DIR: dataDir, ACCOUNTS_DATABASE_URL: accounts.url };
  const listed = await commands.runWith({ env: here }, 'tenant', 'list', '--json');
  const [tenant] = listed.json<{ tenants: { tenant_id: string; slug: string }[] }>().tenants;
  assert.ok(tenant);
  const planned = await commands.runWith({ env: here }, 'tenant', 'plan', tenant.slug, 'team');
  assert.equal(planned.code, 0, planned.err);
  const owner = await login(email);
  return {
    cloud,
    owner,
    folderOf: (projectId) => tenantFolder(join(dataDir, 'content'), tenant.tenant_id, projectId),
    async join(invited) {
      const body = { email: invited, role: 'admin' };
      const { token } = await created<{ token: string }>(owner.ask, '/api/auth/create-invite', body);
      await created(anybody, '/api/auth/register-with-invite', { token, password: PASSWORD });
      return login(invited);
    },
  };
}

export interface DesktopInstall {
  service: ServiceProcess;
  ask: Ask;
  /** Below `/api/desktop/`; must succeed. */
  desktop<Body = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Body>;
}

/** Restarted with the same folder, it continues where it was. */
export async function startDesktopInstall(t: TestContext, dataDir: string): Promise<DesktopInstall> {
  const service = await startServiceProcess({ DATA_DIR: dataDir, ALLOW_PRIVATE_ENDPOINTS: 'true' }, [
    '--surface',
    'desktop',
  ]);
  t.after(() => service.end('SIGKILL'));
  const ask = callerOf(service.url);
  return {
    service,
    ask,
    async desktop<Body>(method: string, path: string, body?: unknown) {
      const reply = await ask<Body>(method, `/api/desktop/${path}`, body);
      assert.ok(reply.status === 200 || reply.status === 201, `${path}: ${reply.text}`);
      return reply.body;
    },
  };
}

/** By a browser. */
export async function signIn(
  { desktop }: DesktopInstall,
  cloudUrl: string,
  { email }: Pick<Member, 'email'>,
): Promise<void> {
  const begun = await desktop<{ authorization_url: string }>('POST', 'auth/login', { cloud_url: cloudUrl });
  const browser = createBrowser();
  const page = await browser.open(begun.authorization_url);
  const end = await browser.submit(page, { decision: 'allow', email, password: PASSWORD });
  assert.match(end.text, /<h1>Signed in<\/h1>/);
  assert.equal((await desktop<{ account: string }>('GET', 'auth/status')).account, email);
}
