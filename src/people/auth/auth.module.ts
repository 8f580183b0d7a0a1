import type { Module } from '../../frame/module.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Config } from '../../kit/config/index.ts';
import type { RateLimit } from '../../kit/http/rate-limit.ts';
import type { Log } from '../../kit/log.ts';
import type { Authenticate } from '../../kit/principal.ts';
import type { Database } from '../../platform/database/database.ts';
import type { KeyValue } from '../../platform/kv/kv.ts';
import type { Accounts } from '../users/users.module.ts';
import { authRoutes } from './auth.routes.ts';
import { type Auth, createAuth } from './auth.service.ts';
import { createIdentity } from './identity.ts';
import { createPasswordChanges } from './password.service.ts';
import { createPasswordResetModule } from './password-resets.module.ts';
import { createPasswordResets } from './password-resets.service.ts';
import { createPasswordSignIn } from './password-sign-in.ts';
import { sessionMigrations } from './sessions.tables.ts';
import { secretKeys } from './token-keys.ts';

export interface AuthModuleOptions {
  database: Database;
  clock: Clock;
  config: Pick<Config, 'jwtSecret' | 'localPlan' | 'registration'>;
  log: Log;
  rateLimit: RateLimit;
  keyValue: KeyValue;
  accounts: Accounts;
}

export interface AuthModule extends Module {
  authenticate: Authenticate;
  auth: Auth;
}

/** Signing in to a self-hosted core, and the check of access tokens for all routes. */
export function createAuthModule(options: AuthModuleOptions): AuthModule {
  const { database, clock, config, log, rateLimit, keyValue } = options;
  const { jwtSecret: secret, localPlan: plan, registration } = config;
  const { users, passwords } = options.accounts;
  const identity = createIdentity({
    database,
    clock,
    log,
    rateLimit,
    keyValue,
    users,
    keys: secretKeys(secret),
    refreshSecret: secret,
    planOf: async () => ({ plan, overrides: {} }),
  });
  const { sessions, attempts } = identity;
  const signInByPassword = createPasswordSignIn({ users, passwords, attempts });
  const auth = createAuth({ users, signInByPassword, identity, registration, plan });
  return {
    name: 'auth',
    auth,
    routes: [
      ...authRoutes(
        auth,
        createPasswordChanges({ users, passwords, sessions, countAttempt: attempts.count }),
      ),
      ...createPasswordResetModule({ resets: createPasswordResets({ database, users, clock }), attempts })
        .routes,
    ],
    migrations: sessionMigrations,
    authenticate: identity.authenticator.authenticate,
  };
}
