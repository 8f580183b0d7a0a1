import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRole, type Role } from '../../src/access/plans.ts';
import { loadConfig } from '../../src/kit/config/index.ts';
import { silentLog } from '../../src/kit/log.ts';
import { type AccountsSurface, createAccountsSurface } from '../../src/surfaces/accounts.surface.ts';
import { createTestClock, type TestClock } from './auth.ts';
import { type OpenDatabase, type OpenedDatabase, openTestSqlite } from './databases.ts';
import { NO_LIMITS } from './no-limits.ts';
import { until } from './until.ts';

export const PASSWORD = 'a long pass phrase';
const SERVICE_TOKEN = 'a service token of tests that is long enough';

/** Replies of the accounts service; each test reads only its own part. */
export interface AccountsReply {
  detail: string;
  code: string;
  message: string;
  access_token: string;
  refresh_token: string;
  user_id: string;
  email: string;
  display_name: string;
  tenant_id: string;
  tenant_name: string;
  tenant_role: string;
  role: string;
  plan: string;
  features: string[];
  email_verified: boolean;
  token: string;
  keys: { kid: string }[];
}

export interface AccountsAnswer {
  status: number;
  body: AccountsReply;
  text: string;
  headers: Record<string, string | string[] | number | undefined>;
}

export interface AskOptions {
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface AccountsPerson {
  id: string;
  email: string;
  tenantId: string;
  token: string;
  refreshToken: string;
}

export interface TestAccounts extends AccountsSurface {
  clock: TestClock;
  opened: OpenedDatabase;
  dataDir: string;
  serviceToken: string;
  /** Its tenant runs the installation. */
  first: AccountsPerson;
  ask(method: string, path: string, options?: AskOptions): Promise<AccountsAnswer>;
  /** Becomes the owner of a new tenant; all but the first by the link in a mail. */
  register(email?: string): Promise<AccountsPerson>;
  /** A tenant's owner with an unverified address and no mail on its way. */
  unverified(email?: string): Promise<AccountsPerson>;
  /** Signed in, in the first tenant unless another is given. */
  person(role: Role, tenantId?: string): Promise<AccountsPerson>;
  login(email: string, password?: string): Promise<AccountsAnswer>;
  /** The newest mail's text, once there are `count`. */
  mailTo(email: string, count?: number): Promise<string>;
  /** Over the same database. */
  another(): Promise<TestAccounts>;
}

export interface AccountsSetup {
  open?: OpenDatabase;
  clock?: TestClock;
  env?: Record<string, string>;
}

/** With the owner of the first tenant. Rate limits are off unless asked for. */
export async function startAccounts({
  open = openTestSqlite,
  env = {},
  clock = createTestClock(),
}: AccountsSetup = {}): Promise<TestAccounts> {
  const opened = await open();
  const dataDir = mkdtempSync(join(tmpdir(), 'accounts-'));
  const accounts = await start({ opened, dataDir, clock, env });
  accounts.first = await accounts.register();
  return {
    ...accounts,
    async close() {
      await accounts.close();
      await opened.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

interface Place {
  opened: OpenedDatabase;
  dataDir: string;
  clock: TestClock;
  env: Record<string, string>;
}

async function start(place: Place): Promise<TestAccounts> {
  const { opened, dataDir, clock, env } = place;
  const { config } = loadConfig({
    mode: 'start',
    surface: 'accounts',
    env: {
      DATA_DIR: dataDir,
      ACCOUNTS_DATABASE_URL: opened.url,
      PUBLIC_URL: 'http://accounts.example.com',
      SERVICE_TOKEN,
      REGISTRATION: 'open',
      ...NO_LIMITS,
      ...env,
    },
  });
  const surface = await createAccountsSurface({
    config,
    log: silentLog,
    clock,
    verifyReplies: true,
    passwordOptions: { cost: 4 },
  });
  let count = 0;

  const ask: TestAccounts['ask'] = async (method, path, { token, body, headers } = {}) => {
    const reply = await surface.app.inject({
      method: method as 'GET',
      url: path,
      headers: {
        prefer: 'wait=60',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { payload: body as object }),
    });
    const isJson = String(reply.headers['content-type'] ?? '').includes('json') && reply.body !== '';
    return {
      status: reply.statusCode,
      body: (isJson ? JSON.parse(reply.body) : {}) as AccountsReply,
      text: reply.body,
      headers: reply.headers,
    };
  };
  const login: TestAccounts['login'] = (email, password = PASSWORD) =>
    ask('POST', '/api/auth/login', { body: { email, password } });

  async function known({ status, body, text }: AccountsAnswer): Promise<AccountsPerson> {
    assert.ok(status < 300, text);
    const user = await surface.users.findById(body.user_id);
    return {
      id: body.user_id,
      email: body.email,
      tenantId: user?.tenantId ?? '',
      token: body.access_token,
      refreshToken: body.refresh_token,
    };
  }

  const accounts: TestAccounts = {
    ...surface,
    clock,
    opened,
    dataDir,
    serviceToken: SERVICE_TOKEN,
    first: { id: '', email: '', tenantId: '', token: '', refreshToken: '' },
    ask,
    login,
    async register(email = `owner${++count}@example.com`) {
      const reply = await ask('POST', '/api/auth/register', { body: { email, password: PASSWORD } });
      if (reply.status !== 202) return known(reply);
      const link = new URL(/https?:\/\/\S+verify\S+/.exec(await accounts.mailTo(email))?.[0] ?? '');
      const confirmed = await ask('POST', `${link.pathname}${link.search}`);
      assert.equal(confirmed.status, 200, confirmed.text);
      return known(await login(email));
    },
    async unverified(email = `unverified${++count}@example.com`) {
      const { tenantId } = await surface.tenants.create({ name: 'Unverified' });
      await surface.users.create({ email, password: PASSWORD, tenantId }, () => ({
        role: 'admin',
        tenantRole: 'owner',
      }));
      return known(await login(email));
    },
    async person(role, tenantId = accounts.first.tenantId) {
      assert.ok(isRole(role));
      const email = `${role}${++count}@people.example`;
      await surface.users.create({ email, password: PASSWORD, tenantId }, () => ({ role, tenantRole: role }));
      return known(await login(email));
    },
    mailTo: (email, wanted = 1) => mailIn(join(dataDir, 'outbox'), email, wanted),
    another: () => start(place),
  };
  return accounts;
}

/** The newest mail's text, once there are `wanted`. */
export async function mailIn(folder: string, email: string, wanted: number): Promise<string> {
  const lettersTo = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.eml'))
      .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .filter((text) => text.includes(`To: ${email}`));
  await until(
    () => lettersTo().length >= wanted,
    () => `${lettersTo().length} of ${wanted} letters to ${email}`,
  );
  return lettersTo().at(-1) ?? '';
}
