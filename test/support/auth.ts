import assert from 'node:assert/strict';
import type { FastifyInstance } from 'fastify';
import { assemble, tablesOf } from '../../src/frame/assemble.ts';
import type { ServiceOf } from '../../src/frame/module.ts';
import type { Config } from '../../src/kit/config/index.ts';
import { cookieNames } from '../../src/kit/http/cookie-names.ts';
import type { RateLimit } from '../../src/kit/http/rate-limit.ts';
import { createServer } from '../../src/kit/http/server.ts';
import { silentLog } from '../../src/kit/log.ts';
import { accessMigrations } from '../../src/people/access-changes/access-changes.tables.ts';
import { authModule } from '../../src/people/auth/auth.module.ts';
import { createSessionCookies } from '../../src/people/auth/session-cookies.ts';
import { peopleModule } from '../../src/people/users/users.module.ts';
import type { Users } from '../../src/people/users/users.service.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { createMemoryKeyValue } from '../../src/platform/kv/adapters/memory-kv.ts';

export const TEST_SECRET = 'a secret of tests that is long enough to sign with';
export const PASSWORD = 'a long pass phrase';

/** Time that only the test moves. */
export function createTestClock(start = Date.UTC(2026, 2, 4, 5, 6, 7)) {
  let now = start;
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

export interface AuthProcess extends ServiceOf<typeof authModule> {
  users: Users;
  app: FastifyInstance;
  post(path: string, body?: object, token?: string): Promise<Answer>;
  get(path: string, token?: string): Promise<Answer>;
  /** Expects success. */
  register(email: string): Promise<Answer['body']>;
}

/** Its database is shared with others. */
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
  const keyValue = createMemoryKeyValue({ now: clock.now });
  const context = {
    database,
    clock,
    config,
    log: silentLog,
    rateLimit,
    keyValue,
    sessionCookies: createSessionCookies(cookieNames({ secret: TEST_SECRET, isSecure: false })),
    passwordOptions: { cost: 4 },
  };
  const people = assemble(context, [peopleModule, authModule]);
  const service = people.service(authModule);
  await database.migrate([...accessMigrations, ...tablesOf([peopleModule, authModule])]);
  const app = await createServer({
    routes: people.modules.flatMap(({ routes }) => routes),
    authenticate: service.authenticate,
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
    ...service,
    users: people.service(peopleModule).users,
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
