import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { freePort } from '../../../src/cli/cloud/programs.ts';
import { type Clock, systemClock } from '../../../src/kit/clock.ts';
import { type Config, loadConfig } from '../../../src/kit/config/index.ts';
import { silentLog } from '../../../src/kit/log.ts';
import { type AccountsSurface, createAccountsSurface } from '../../../src/surfaces/accounts.surface.ts';
import { type OpenDatabase, openTestSqlite } from '../databases.ts';
import { NO_LIMITS } from '../no-limits.ts';
import { agreeAs, type Browser, createBrowser, type Page } from './browser.ts';
import { startGitHubServer } from './github-server.ts';
import type { TestServer } from './listen.ts';
import { type OpenIdServer, startOpenIdServer } from './openid-server.ts';
import { CLIENT, type Person, somebody } from './people.ts';

export const PASSWORD = 'a long pass phrase';
export const APP = 'canonry://signed-in';
export const STUDIO = 'https://studio.example/signed-in';
export const SERVICE_TOKEN = 'a token that the surfaces share, and nobody else';

export type ProviderId = 'google' | 'github';

export interface Answer<Body = Record<string, unknown>> {
  status: number;
  body: Body;
  text: string;
}

export interface OAuthService {
  url: string;
  config: Config;
  surface: AccountsSurface;
  /** A second process over the same database, which does not listen. */
  another(): Promise<AccountsSurface>;
  google: OpenIdServer;
  github: TestServer;
  /** By login; known to both providers. */
  people: Map<string, Person>;
  browser: Browser;
  /** As a program. */
  call<Body = Record<string, unknown>>(
    method: string,
    path: string,
    options?: { token?: string; body?: unknown },
  ): Promise<Answer<Body>>;
  /** Goes to a provider as `login` and back, up to a redirect where nobody answers. */
  signIn(provider: ProviderId, login: string, options?: JourneyOptions): Promise<Page>;
  /** Stops before the redirect back is opened. */
  agree(start: string, login: string, options?: JourneyOptions): Promise<URL>;
  /** The owner of a tenant with a password, verified or not; resolves to the access token. */
  register(email: string, options?: { verified: boolean }): Promise<string>;
}

export interface JourneyOptions {
  browser?: Browser;
  query?: string;
  decision?: 'agree' | 'deny';
}

export interface ServiceSetup {
  open?: OpenDatabase;
  env?: Record<string, string>;
  clock?: Clock;
}

const callbacksOf = (url: string, provider: ProviderId): string[] => [
  `${url}/api/auth/oauth/${provider}/callback`,
  `${url}/api/auth/mobile/${provider}-callback`,
  `${url}/api/auth/oauth/${provider}/drive/callback`,
  `${url}/api/auth/storage-oauth/${provider}/callback`,
  'https://core.example/drive/callback',
];

/** With both providers beside it. */
export async function startOAuthService(t: TestContext, setup: ServiceSetup = {}): Promise<OAuthService> {
  const folder = mkdtempSync(join(tmpdir(), 'oauth-'));
  const opened = await (setup.open ?? openTestSqlite)();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const people = new Map([['mara', somebody('mara@example.com')]]);
  const google = await startOpenIdServer(callbacksOf(url, 'google'), people);
  const github = await startGitHubServer(callbacksOf(url, 'github'), people);
  const { config } = loadConfig({
    mode: 'start',
    surface: 'accounts',
    env: {
      DATA_DIR: join(folder, 'data'),
      ACCOUNTS_DATABASE_URL: opened.url,
      PUBLIC_URL: url,
      SERVICE_TOKEN,
      ...NO_LIMITS,
      OAUTH_RETURN_URLS: `${STUDIO},${APP}`,
      OAUTH_GOOGLE_CLIENT_ID: CLIENT.clientId,
      OAUTH_GOOGLE_CLIENT_SECRET: CLIENT.clientSecret,
      OAUTH_GOOGLE_ISSUER: google.url,
      OAUTH_GITHUB_CLIENT_ID: CLIENT.clientId,
      OAUTH_GITHUB_CLIENT_SECRET: CLIENT.clientSecret,
      OAUTH_GITHUB_URL: github.url,
      OAUTH_GITHUB_API_URL: github.url,
      ...setup.env,
    },
  });
  const start = () =>
    createAccountsSurface({
      config,
      log: silentLog,
      clock: setup.clock ?? systemClock,
      verifyReplies: true,
      passwordOptions: { cost: 4 },
    });
  const surface = await start();
  const others: AccountsSurface[] = [];
  await surface.app.listen({ host: '127.0.0.1', port });
  t.after(async () => {
    for (const each of [surface, ...others]) await each.close();
    await google.close();
    await github.close();
    await opened.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const browser = createBrowser();

  async function call<Body>(
    method: string,
    path: string,
    { token, body }: { token?: string; body?: unknown } = {},
  ): Promise<Answer<Body>> {
    const reply = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    const isJson = reply.headers.get('content-type')?.includes('json');
    return { status: reply.status, text, body: (isJson ? JSON.parse(text) : {}) as Body };
  }

  const isCallback = ({ href }: URL) =>
    href.startsWith(url) && href.split('?')[0]?.endsWith('callback') === true;

  return {
    url,
    config,
    surface,
    async another() {
      const other = await start();
      others.push(other);
      return other;
    },
    google,
    github,
    people,
    browser,
    call,
    signIn: (provider, login, { query = '', decision = 'agree', ...options } = {}) =>
      agreeAs(
        options.browser ?? browser,
        `${url}/api/auth/oauth/${provider}${query}`,
        { login, decision },
        { stopAt: ({ href }) => href.startsWith(STUDIO) },
      ),
    agree: async (start, login, { decision = 'agree', ...options } = {}) => {
      const stopAt = isCallback;
      const from = new URL(start, url);
      return (await agreeAs(options.browser ?? browser, from, { login, decision }, { stopAt })).url;
    },
    async register(email, { verified } = { verified: true }) {
      const { tenantId } = await surface.tenants.create({ name: email });
      const user = await surface.users.create({ email, password: PASSWORD, tenantId }, () => ({
        role: 'admin',
        tenantRole: 'owner',
      }));
      if (verified) await surface.users.verifyEmail(user.userId, email);
      const credentials = { email, password: PASSWORD };
      const reply = await call<{ access_token: string }>('POST', '/api/auth/login', { body: credentials });
      return reply.body.access_token;
    },
  };
}
