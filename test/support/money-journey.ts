import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../src/cli/cloud/programs.ts';
import { PASSWORD } from './accounts.ts';
import { type CliResult, cliWorld, variablesIn } from './cli.ts';
import { type Constellation, startConstellation } from './constellation.ts';
import { openTestPostgres } from './databases.ts';
import { NO_LIMITS } from './no-limits.ts';
import type { Delivery } from './payments/deliveries.ts';
import { type PaymentServer, startPaymentServer } from './payments/payment-server.ts';
import { startRelay } from './relay.ts';
import { until } from './until.ts';

/** Replies about money; each step reads only its own part. */
interface MoneyReply {
  detail: string;
  code: string;
  access_token: string;
  refresh_token: string;
  token: string;
  user_id: string;
  plan: string;
  status: string;
  checkout_id: string;
  url: string;
  balance: number;
  needed: number;
  upgrade_url: string;
  consumed: number;
  spent: number;
  monthly: number;
  seats: number;
  next_period: { plan: string; seats: number } | null;
  grace_ends_at: string | null;
  subscription_status: string;
  provider: string;
  notices: { code: string }[];
  over_limits: { limit: string; used: number; allowed: number }[];
  invoices: { invoice_id: string; status: string; amount_due: number; amount_paid: number }[];
  purchases: { checkout_id: string; credits: number; status: string }[];
  sources: { source: string; remaining: number }[];
  operations: { operation: string; spent: number; count: number }[];
  rows: { key: string; spent: number; count: number }[];
  version: number;
  promoted: { email: string }[];
  already: string[];
  total: number;
  cohorts: Record<string, unknown>[];
  waitlist: Record<string, number>;
  feedback: { message: string; rating: number | null }[];
}

export interface Answer {
  status: number;
  body: MoneyReply;
  text: string;
  headers: Headers;
}

interface AskOptions {
  token?: string;
  body?: unknown;
  key?: string;
}

type Ask = (method: string, path: string, options?: AskOptions) => Promise<Answer>;

interface Mail {
  subject: string;
  text: string;
}

/** An event of the provider's, as `canonry billing events` shows it. */
interface ShownEvent {
  event_id: string;
  type: string;
  outcome: string;
  note: string | null;
}

export interface MoneyWorld {
  cloud: Constellation;
  provider: PaymentServer;
  delivery: Delivery;
  /** Between the service and the provider. */
  line: Awaited<ReturnType<typeof startRelay>>;
  /** Through the edge. */
  ask: Ask;
  /** Becomes the owner of a new tenant, by the link in a mail unless it is the first. */
  register(email: string, tenantName?: string): Promise<Payer>;
  canonry(...args: string[]): Promise<CliResult>;
  events(): Promise<ShownEvent[]>;
  mailsTo(email: string): Mail[];
  /** `kill -9`, while whatever is under way goes on. */
  kill(name: 'accounts' | 'core-1' | 'redis'): void;
}

/** Somebody with a session that is renewed when a token is refused. */
export interface Payer {
  email: string;
  token(): string;
  ask: Ask;
  /** Asked again with the same `Idempotency-Key` until there is an answer. */
  insist(method: string, path: string, body: object): Promise<Answer>;
  /** The plan in a new token. */
  planInToken(): Promise<string>;
}

/** One installation by one command, sold by the provider of the tests, set up as an operator does it. */
export async function startMoneyWorld(t: TestContext): Promise<MoneyWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'money-'));
  const [content, accounts] = [await openTestPostgres(), await openTestPostgres()];
  const provider = await startPaymentServer();
  const line = await startRelay(t, provider.url);
  const bindAddress = `127.0.0.1:${await freePort()}`;
  const dataDir = join(folder, 'data');
  const billing = { BILLING_API_KEY: provider.apiKey, BILLING_API_BASE: line.url.replace(/\/$/, '') };
  const env = {
    ...billing,
    DATA_DIR: dataDir,
    DATABASE_URL: content.url,
    ACCOUNTS_DATABASE_URL: accounts.url,
    PUBLIC_URL: `http://${bindAddress}`,
  };
  const commands = cliWorld(t);
  const setup = await commands.runWith({ env }, 'billing', 'setup');
  assert.equal(setup.code, 0, setup.err);
  const cloud = await startConstellation(t, {
    ...NO_LIMITS,
    ...env,
    BIND_ADDR: bindAddress,
    BILLING_WEBHOOK_SECRET: provider.webhookSecret,
  });
  const settings = { ...billing, ...variablesIn(join(dataDir, 'cloud.env')) };
  const canonry: MoneyWorld['canonry'] = (...args) => commands.runWith({ env: settings }, ...args);
  const delivery = provider.deliverTo(`${cloud.url}/api/billing/webhook`);
  t.after(async () => {
    await provider.close();
    await cloud.end('SIGTERM');
    await content.close();
    await accounts.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const ask = askAt(cloud.url);
  const outbox = join(dataDir, 'accounts', 'outbox');
  return {
    ...{ cloud, provider, delivery, line, ask, canonry },
    register: (email, tenantName) => register({ ask, outbox }, email, tenantName),
    async events() {
      const { code, json, err } = await canonry('billing', 'events', '--limit', '999', '--json');
      assert.equal(code, 0, err);
      return json<{ events: ShownEvent[] }>().events;
    },
    mailsTo: (email) => mailsTo(outbox, email),
    kill(name) {
      const { address, pid } = cloud.process(name);
      const isIt = (child: number) => environmentOf(child).includes(`BIND_ADDR=${new URL(address).host}`);
      const found = name === 'redis' ? childrenOf(pid).find(isRedis) : childrenOf(cloud.pid).find(isIt);
      assert.ok(found !== undefined, `${name} does not run`);
      process.kill(found, 'SIGKILL');
    },
  };
}

/** The environment that `set -a; . FILE` sets. */
/** Services come back with other ids; Redis runs below a shell that ends it with its supervisor. */
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);

const environmentOf = (pid: number): string[] => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');

const isRedis = (pid: number): boolean =>
  readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('redis-server');

function mailsTo(outbox: string, email: string): Mail[] {
  const names = readdirSync(outbox).filter((name) => name.endsWith('.eml'));
  return names
    .map((name) => readFileSync(join(outbox, name), 'utf8'))
    .filter((text) => text.includes(`To: ${email}`))
    .map((text) => ({ text, subject: /^Subject: (.*)$/m.exec(text)?.[1]?.trim() ?? '' }));
}

const askAt =
  (url: string): Ask =>
  async (method, path, { token, body, key } = {}) => {
    const reply = await fetch(url + path, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    const isJson = reply.headers.get('content-type')?.includes('json') && text !== '';
    return {
      ...{ status: reply.status, text, headers: reply.headers },
      body: (isJson ? JSON.parse(text) : {}) as MoneyReply,
    };
  };

const LINK = /https?:\/\/\S+verify\S+/;

interface Door {
  ask: Ask;
  outbox: string;
}

/** Asks again where a busy machine answered too late for the edge. */
async function patiently(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 0; tries < 10; tries += 1) {
    const reply = await ask();
    if (reply.status !== 503) return reply;
  }
  return ask();
}

async function register({ ask, outbox }: Door, email: string, tenantName = email): Promise<Payer> {
  const credentials = { email, password: PASSWORD };
  const body = { ...credentials, tenant_name: tenantName };
  const { status, text } = await patiently(() => ask('POST', '/api/auth/register', { body }));
  if (status !== 201) {
    assert.equal(status, 202, text);
    const link = () => mailsTo(outbox, email).flatMap(({ text }) => LINK.exec(text)?.[0] ?? []);
    await until(() => link().length > 0);
    const { pathname, search } = new URL(link()[0] ?? '');
    assert.equal((await ask('POST', pathname + search)).status, 200);
  }
  const session = await patiently(() => ask('POST', '/api/auth/login', { body: credentials }));
  assert.equal(session.status, 200, session.text);
  return payer(ask, email, session.body);
}

const PAUSE_MS = 50;

export function payer(ask: Ask, email: string, first: MoneyReply): Payer {
  let tokens = first;
  let renewing: Promise<void> | null = null;
  const renew = () => {
    renewing ??= (async () => {
      const body = { refresh_token: tokens.refresh_token };
      const reply = await ask('POST', '/api/auth/refresh', { body });
      assert.equal(reply.status, 200, reply.text);
      tokens = reply.body;
    })().finally(() => {
      renewing = null;
    });
    return renewing;
  };
  const asMe: Ask = async (method, path, options) => {
    const reply = await ask(method, path, { ...options, token: tokens.access_token });
    if (reply.status !== 401) return reply;
    await renew();
    return ask(method, path, { ...options, token: tokens.access_token });
  };
  return {
    email,
    token: () => tokens.access_token,
    ask: asMe,
    async insist(method, path, body) {
      const key = randomUUID();
      let last = '';
      for (let tries = 0; tries < 1_000; tries += 1) {
        const reply = await asMe(method, path, { body, key }).catch((error: unknown) => {
          last = String(error);
          return null;
        });
        if (reply !== null && reply.status < 500) return reply;
        last = reply?.text ?? last;
        await pause(PAUSE_MS);
      }
      return assert.fail(`${method} ${path} was never answered: ${last}`);
    },
    async planInToken() {
      await renew();
      const [, claims = ''] = tokens.access_token.split('.');
      return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as MoneyReply).plan;
    },
  };
}

/** Fails after five seconds: as long as a change of the plan may take to be in tokens. */
export async function planWithinFiveSeconds(person: Payer, plan: string): Promise<void> {
  const begun = performance.now();
  await until(async () => (await person.planInToken()) === plan);
  const took = performance.now() - begun;
  assert.ok(took < 5_000, `the plan ${plan} was in tokens after ${Math.round(took)} ms`);
}
