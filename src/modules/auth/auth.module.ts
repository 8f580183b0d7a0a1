import type { Clock } from '../../kit/clock.ts';
import type { Config } from '../../kit/config/index.ts';
import type { RateLimit } from '../../kit/http/rate-limit.ts';
import type { Log } from '../../kit/log.ts';
import type { Authenticate } from '../../kit/principal.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Module } from '../module.ts';
import type { PasswordOptions } from '../users/passwords.ts';
import { LOCAL_TENANT } from '../users/tenant.ts';
import { createUsersModule } from '../users/users.module.ts';
import type { Users } from '../users/users.service.ts';
import { createAccessTokens } from './access-tokens.ts';
import { authRoutes } from './auth.routes.ts';
import { createAuth } from './auth.service.ts';
import { createAuthenticate } from './authenticate.ts';
import { createRefreshTokens } from './refresh-tokens.ts';
import { createSessions } from './sessions.service.ts';
import { sessionMigrations } from './sessions.tables.ts';

export interface AuthModuleOptions {
  database: Database;
  clock: Clock;
  config: Pick<Config, 'jwtSecret' | 'localPlan' | 'registration'>;
  log: Log;
  rateLimit: RateLimit;
  passwordOptions?: PasswordOptions;
}

export interface AuthModule extends Module {
  authenticate: Authenticate;
  users: Users;
}

/** Signing in to a self-hosted core, and the check of access tokens for all routes. */
export function createAuthModule(options: AuthModuleOptions): AuthModule {
  const { database, clock, config, log, rateLimit, passwordOptions = {} } = options;
  const { jwtSecret: secret, localPlan: plan, registration } = config;
  const accounts = createUsersModule({ database, clock, tenantId: LOCAL_TENANT, passwordOptions });
  const { users, passwords } = accounts;
  const tokens = createAccessTokens({ secret, clock });
  const refreshTokens = createRefreshTokens(secret);
  const sessions = createSessions({ database, users, refreshTokens, clock, log });
  const authenticator = createAuthenticate({ tokens, sessions, clock, plan });
  const auth = createAuth({
    users,
    passwords,
    sessions,
    tokens,
    authenticator,
    rateLimit,
    registration,
    plan,
  });
  return {
    name: 'auth',
    routes: authRoutes(auth),
    migrations: [...accounts.migrations, ...sessionMigrations],
    users,
    authenticate: authenticator.authenticate,
  };
}
