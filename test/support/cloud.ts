import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, loadConfig } from '../../src/kit/config/index.ts';
import { createSecretBox } from '../../src/kit/secret-box.ts';
import { createSigningKeys } from '../../src/people/signing-keys/signing-keys.service.ts';
import { type CloudCoreOptions, createCloudCore } from '../../src/surfaces/cloud.surface.ts';
import type { ContentCore } from '../../src/surfaces/content-core.ts';
import { startAccounts, type TestAccounts } from './accounts.ts';
import type { TestClock } from './auth.ts';
import type { CallOptions, TestReply } from './core.ts';
import { type OpenedDatabase, openTestPostgres } from './databases.ts';
import { listen } from './listen.ts';
import { NO_LIMITS } from './no-limits.ts';
import { scannerHere } from './scanner-here.ts';
import { createTestLog } from './test-log.ts';
import { until } from './until.ts';

export const REDIS_URL = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';
/** Shared by all cores. */
const KEY = Buffer.alloc(32, 7).toString('base64');
/** The interval at which cores ask for changes of access. */
const ASK_EVERY_MS = 100;

export interface CloudCore extends ContentCore {
  config: Config;
  /** With a token, or anonymously. */
  call<Body = Record<string, unknown>>(
    method: string,
    url: string,
    options?: CallOptions,
  ): Promise<TestReply<Body>>;
}

export interface Cloud {
  accounts: TestAccounts;
  accountsUrl: string;
  /** Two at first; they share the database, Redis and the content folder. */
  cores: [CloudCore, CloudCore];
  clock: TestClock;
  contentDir: string;
  opened: OpenedDatabase;
  /** Of another process of this cloud, which has a data folder of its own. */
  env: Record<string, string>;
  core(options?: Partial<CloudCoreOptions>): Promise<CloudCore>;
  /** As `canonry keys rotate` does beside the running service. */
  rotateKeys(): Promise<void>;
  close(): Promise<void>;
}

export interface CloudSetup {
  /** For every process. */
  env?: Record<string, string>;
  core?: Partial<CloudCoreOptions>;
}

/** For every core and worker of a cloud. */
export const cloudEnv = ({
  contentDir,
  opened,
  accounts,
  accountsUrl,
}: Pick<Cloud, 'contentDir' | 'opened' | 'accounts' | 'accountsUrl'>) => ({
  CONTENT_DIR: contentDir,
  DATABASE_URL: opened.url,
  DEPLOYMENT: 'cloud',
  REDIS_URL,
  ACCOUNTS_URL: accountsUrl,
  SERVICE_TOKEN: accounts.serviceToken,
  ENCRYPTION_KEY: KEY,
});

/** Real time that a test can also advance. */
export function createRunningClock(): TestClock {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    pass: (milliseconds) => {
      ahead += milliseconds;
    },
  };
}

/**
 * The accounts service and two cores over PostgreSQL and Redis, in this process. `accounts` owns the first tenant; its
 * tokens work at every core. Content folders are not watched.
 */
export async function startCloud(setup: CloudSetup = {}): Promise<Cloud> {
  const clock = createRunningClock();
  const folder = mkdtempSync(join(tmpdir(), 'cloud-'));
  const contentDir = join(folder, 'content');
  const opened = await openTestPostgres({ forCore: true });
  const accounts = await startAccounts({
    open: openTestPostgres,
    clock,
    env: { DEPLOYMENT: 'cloud', REDIS_URL, ...setup.env },
  });
  const accountsUrl = await listen(accounts);
  const running: ContentCore[] = [];
  const env = { ...cloudEnv({ contentDir, opened, accounts, accountsUrl }), ...NO_LIMITS, ...setup.env };

  async function core(options: Partial<CloudCoreOptions> = {}): Promise<CloudCore> {
    const { config } = loadConfig({
      mode: 'start',
      env: { DATA_DIR: join(folder, `data-${running.length}`), ...env },
    });
    const made = await createCloudCore({
      config,
      log: createTestLog().log,
      clock,
      verifyReplies: true,
      studioFolder: join(contentDir, 'no studio'),
      watch: false,
      startScanner: scannerHere,
      askEveryMs: ASK_EVERY_MS,
      ...setup.core,
      ...options,
    });
    running.push(made);
    return { ...made, config, call: callerOf(made) };
  }

  return {
    accounts,
    accountsUrl,
    cores: [await core(), await core()],
    clock,
    contentDir,
    opened,
    env,
    core,
    rotateKeys: () => rotateKeys(accounts),
    async close() {
      await Promise.all(running.map((each) => each.close()));
      await accounts.close();
      await opened.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function rotateKeys({ dataDir, opened, clock }: TestAccounts): Promise<void> {
  const { config } = loadConfig({ mode: 'start', surface: 'accounts', env: { DATA_DIR: dataDir } });
  const box = createSecretBox(config.encryptionKey);
  await createSigningKeys({ database: opened.again(), box, clock }).rotate();
}

const callerOf =
  ({ app }: ContentCore): CloudCore['call'] =>
  async <Body>(method: string, url: string, { token = null, body, headers }: CallOptions = {}) => {
    const reply = await app.inject({
      method: method as 'GET',
      url,
      headers: { prefer: 'wait=60', ...(token !== null && { authorization: `Bearer ${token}` }), ...headers },
      ...(body !== undefined && { payload: body as object }),
    });
    const isJson = String(reply.headers['content-type'] ?? '').includes('json') && reply.body !== '';
    return {
      status: reply.statusCode,
      body: (isJson ? JSON.parse(reply.body) : {}) as Body,
      headers: reply.headers,
      text: reply.body,
    };
  };

/** Repeats the request until the answer is as wanted; resolves to it. */
export async function answerWhen<Answer>(
  ask: () => Promise<Answer>,
  isWanted: (answer: Answer) => boolean,
): Promise<Answer> {
  let answer: Answer | undefined;
  await until(
    async () => {
      answer = await ask();
      return isWanted(answer);
    },
    () => answer,
  );
  return answer as Answer;
}
