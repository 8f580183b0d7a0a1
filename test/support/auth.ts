import assert from 'node:assert/strict';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../src/kit/config/index.ts';
import type { RateLimit } from '../../src/kit/http/rate-limit.ts';
import { createServer } from '../../src/kit/http/server.ts';
import { silentLog } from '../../src/kit/log.ts';
import { type AuthModule, createAuthModule } from '../../src/modules/auth/auth.module.ts';
import type { Database } from '../../src/platform/database/database.ts';

export const TEST_SECRET = 'a secret of tests that is long enough to sign with';
export const PASSWORD = 'a long pass phrase';

/** Time that a test moves. */
export function createTestClock() {
  let now = Date.UTC(2026, 2, 4, 5, 6, 7);
  return {
    now: () => now,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}
export type TestClock = ReturnType<typeof createTestClock>;

export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  // The shape is the contract's; the server checks it (`verifyReplies`).
  body: {
    detail: string;
    code: string;
    access_token: string;
    refresh_token: string;
    expires_in: number;
    user: { user_id: string; email: string; role: string; tenant_role: string };
  } & Record<string, unknown>;
}

export interface AuthProcess extends AuthModule {
  app: FastifyInstance;
  post(path: string, body?: object, token?: string): Promise<Answer>;
  get(path: string, token?: string): Promise<Answer>;
  /** Registers and expects it to succeed. */
  register(email: string): Promise<Answer['body']>;
}

/** A process that serves the auth routes over a database that is shared with others. */
export async function startAuth(options: {
  database: Database;
  clock: TestClock;
  config?: Partial<Pick<Config, 'localPlan' | 'registration'>>;
  rateLimit?: RateLimit;
}): Promise<AuthProcess> {
  const { database, clock, rateLimit = () => null } = options;
  const config = {
    jwtSecret: TEST_SECRET,
    localPlan: 'enterprise',
    registration: 'open',
    ...options.config,
  } as const;
  const passwordOptions = { cost: 4 };
  const module = createAuthModule({ database, clock, config, log: silentLog, rateLimit, passwordOptions });
  await database.migrate(module.migrations ?? []);
  const app = await createServer({
    routes: module.routes,
    authenticate: module.authenticate,
    rateLimit,
    anonymous: { tenantId: 'local', plan: config.localPlan },
    verifyReplies: true,
    log: silentLog,
    corsOrigins: [],
    trustedProxies: [],
  });

  const send = async (
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    token?: string,
  ): Promise<Answer> => {
    const reply = await app.inject({
      method,
      url: `/api/auth/${path}`,
      ...(body && { payload: body }),
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
    return { status: reply.statusCode, headers: reply.headers, body: reply.json() };
  };
  const post = (path: string, body?: object, token?: string) => send('POST', path, body, token);

  return {
    ...module,
    app,
    post,
    get: (path, token) => send('GET', path, undefined, token),
    async register(email) {
      const { status, body } = await post('register', { email, password: PASSWORD });
      assert.equal(status, 201, body.detail);
      return body;
    },
  };
}
