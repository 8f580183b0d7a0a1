import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type Clock, systemClock } from '../../src/kit/clock.ts';
import { type Config, loadConfig } from '../../src/kit/config/index.ts';
import type { CoreOptions } from '../../src/surfaces/content-core.ts';
import { type Core, createCore } from '../../src/surfaces/core.surface.ts';
import { createDesktop } from '../../src/surfaces/desktop.surface.ts';
import { fillContentFolder } from '../../src/surfaces/starter.ts';
import type { Project } from '../../src/world/records/scope.ts';
import { type OpenDatabase, type OpenedDatabase, openTestSqlite } from './databases.ts';
import { shareTranslations } from './guests/translations.ts';
import { NO_LIMITS } from './no-limits.ts';
import { scannerHere } from './scanner-here.ts';
import { createTestLog } from './test-log.ts';

export interface CoreSetup {
  /** `core` by default. */
  surface?: 'core' | 'desktop';
  open?: OpenDatabase;
  /** The database of a stopped core; it is kept afterwards. */
  existing?: OpenedDatabase;
  /** `templates`: only the starter templates. `sample`: also the sample world. `empty`: an empty folder. */
  content?: 'templates' | 'sample' | 'empty';
  /** An existing content folder; it is kept afterwards. */
  contentDir?: string;
  /** The output of a build of the web app; none by default. */
  studioFolder?: string;
  env?: Record<string, string>;
  /** Nobody has an account yet, so `adminToken` is no token. */
  isNew?: boolean;
  watch?: boolean;
  openProjects?: CoreOptions['openProjects'];
  webhooks?: CoreOptions['webhooks'];
  models?: CoreOptions['models'];
  drive?: CoreOptions['drive'];
  startScanner?: CoreOptions['startScanner'];
  clock?: Clock;
}

export interface TestReply<Body = Record<string, unknown>> {
  status: number;
  body: Body;
  headers: Record<string, string | string[] | number | undefined>;
  text: string;
}

export interface CallOptions {
  token?: string | null;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface TestCore extends Core {
  config: Config;
  contentDir: string;
  database: Core['database'];
  opened: OpenedDatabase;
  app: FastifyInstance;
  adminToken: string;
  /** As the admin, or with `token` (null: anonymously). */
  call<Body = Record<string, unknown>>(
    method: string,
    url: string,
    options?: CallOptions,
  ): Promise<TestReply<Body>>;
  /** Registers a viewer; resolves to the access token. */
  registerViewer(email?: string): Promise<string>;
  /** Logged warnings. */
  warnings: readonly string[];
  /** Matching errors go into the returned list instead of the log. */
  expectErrors(pattern: RegExp): string[];
  close(): Promise<void>;
}

/** The project that a core has opened by itself. */
export function openedProject({ projects }: TestCore): Project {
  const [project] = projects.opened();
  if (project === undefined) throw new Error('no project is open');
  return project;
}

const ADMIN = { email: 'admin@example.com', password: 'correct horse battery', display_name: 'Admin' };

/** On temporary folders, with the first user signed in and the content compared. Rate limits are off unless asked for. */
export async function startCore(setup: CoreSetup = {}): Promise<TestCore> {
  const folder = mkdtempSync(join(tmpdir(), 'canonry-'));
  const opened = setup.existing ?? (await (setup.open ?? openTestSqlite)({ forCore: true }));
  const contentDir = setup.contentDir ?? join(folder, 'content');
  const dataDir = join(folder, 'data');
  shareTranslations(dataDir);
  const { surface = 'core' } = setup;
  const { config } = loadConfig({
    mode: 'start',
    surface,
    env: {
      DATA_DIR: dataDir,
      CONTENT_DIR: contentDir,
      DATABASE_URL: opened.url,
      ...NO_LIMITS,
      ...setup.env,
    },
  });
  if (setup.content === 'empty') mkdirSync(contentDir, { recursive: true });
  else if (setup.contentDir === undefined)
    await fillContentFolder(contentDir, { sample: setup.content === 'sample' });
  const create = surface === 'desktop' ? createDesktop : createCore;
  const { log, warnings, expectErrors } = createTestLog();
  const core = await create({
    config,
    log,
    clock: setup.clock ?? systemClock,
    verifyReplies: true,
    studioFolder: setup.studioFolder ?? join(folder, 'no studio'),
    watch: setup.watch ?? false,
    startScanner: setup.startScanner ?? scannerHere,
    ...(setup.openProjects && { openProjects: setup.openProjects }),
    ...(setup.webhooks && { webhooks: setup.webhooks }),
    ...(setup.models && { models: setup.models }),
    ...(setup.drive && { drive: setup.drive }),
    passwordOptions: { cost: 4 },
  });

  const call = async <Body>(
    method: string,
    url: string,
    options: CallOptions = {},
  ): Promise<TestReply<Body>> => {
    const { token = adminToken, body, headers } = options;
    const reply = await core.app.inject({
      method: method as 'GET',
      url,
      // On a busy machine the default wait of two seconds is soon over.
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
  const enter = async (way: 'register' | 'login', body: object): Promise<string> => {
    const reply = await call<{ access_token: string }>('POST', `/api/auth/${way}`, { token: null, body });
    if (reply.status >= 300) throw new Error(`${way} failed: ${reply.text}`);
    return reply.body.access_token;
  };
  let adminToken = '';
  if (!setup.isNew) adminToken = await enter(setup.existing ? 'login' : 'register', ADMIN);
  // No scan may run behind a test that writes into the folder.
  for (const project of core.projects.opened()) await core.mirror.whenSettled(project);
  let viewers = 0;

  return {
    ...core,
    config,
    contentDir,
    opened,
    adminToken,
    call,
    warnings,
    expectErrors,
    registerViewer: (email = `viewer${++viewers}@example.com`) =>
      enter('register', { ...ADMIN, email, display_name: 'Viewer' }),
    async close() {
      await core.close();
      if (setup.existing === undefined) await opened.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
