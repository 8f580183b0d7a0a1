import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { systemClock } from '../../src/kit/clock.ts';
import { type Config, loadConfig } from '../../src/kit/config/index.ts';
import { silentLog } from '../../src/kit/log.ts';
import { type Core, createCore } from '../../src/surfaces/core.surface.ts';
import { fillContentFolder } from '../../src/surfaces/starter.ts';
import { type OpenDatabase, type OpenedDatabase, openTestSqlite } from './databases.ts';

export interface CoreSetup {
  open?: OpenDatabase;
  /** `templates`: the starter templates alone. `sample`: with the sample world. `empty`: a folder with nothing in it. */
  content?: 'templates' | 'sample' | 'empty';
  /** An existing content folder instead; it is left in place afterwards. */
  contentDir?: string;
  env?: Record<string, string>;
  watch?: boolean;
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
  /** Calls a route as the admin, or as `token` says (null: nobody). */
  call<Body = Record<string, unknown>>(
    method: string,
    url: string,
    options?: CallOptions,
  ): Promise<TestReply<Body>>;
  /** Registers one more user, who is a viewer, and resolves to the access token. */
  registerViewer(email?: string): Promise<string>;
  close(): Promise<void>;
}

/** What a test does not expect is seen beside its failure. */
const errorsToStderr = {
  ...silentLog,
  error: (message: string) => void process.stderr.write(`${message}\n`),
  child: () => errorsToStderr,
  flush: async () => {},
};

const ADMIN = { email: 'admin@example.com', password: 'correct horse battery', display_name: 'Admin' };

/** A whole core on temporary folders, with its first user signed in. Rate limits are off unless asked for. */
export async function startCore(setup: CoreSetup = {}): Promise<TestCore> {
  const folder = mkdtempSync(join(tmpdir(), 'canonry-'));
  const opened = await (setup.open ?? openTestSqlite)();
  const contentDir = setup.contentDir ?? join(folder, 'content');
  const { config } = loadConfig({
    mode: 'start',
    env: {
      DATA_DIR: join(folder, 'data'),
      CONTENT_DIR: contentDir,
      DATABASE_URL: opened.url,
      RATE_LIMIT_LOGIN: '0',
      RATE_LIMIT_ANONYMOUS: '0',
      RATE_LIMIT_USER: '0',
      ...setup.env,
    },
  });
  if (setup.contentDir === undefined && setup.content !== 'empty') {
    await fillContentFolder(contentDir, { sample: setup.content === 'sample' });
  }
  const core = await createCore({
    config,
    log: errorsToStderr,
    clock: systemClock,
    verifyReplies: true,
    watch: setup.watch ?? false,
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
      headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...headers },
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
  const register = async (body: object): Promise<string> => {
    const reply = await call<{ access_token: string }>('POST', '/api/auth/register', { token: null, body });
    if (reply.status !== 201) throw new Error(`registering failed: ${reply.text}`);
    return reply.body.access_token;
  };
  let adminToken = '';
  adminToken = await register(ADMIN);
  let viewers = 0;

  return {
    ...core,
    config,
    contentDir,
    opened,
    adminToken,
    call,
    registerViewer: (email = `viewer${++viewers}@example.com`) =>
      register({ ...ADMIN, email, display_name: 'Viewer' }),
    async close() {
      await core.close();
      await opened.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
