import type { Base } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import type { Config } from '../../kit/config/index.ts';
import { peopleModule } from '../users/index.ts';
import { authRoutes } from './auth.routes.ts';
import { createAuth } from './auth.service.ts';
import { createIdentity } from './identity.ts';
import { createPasswordChanges } from './password.service.ts';
import { PASSWORD_TAG } from './password-resets.contract.ts';
import { passwordResetRoutes } from './password-resets.routes.ts';
import { createPasswordResets } from './password-resets.service.ts';
import { createPasswordSignIn } from './password-sign-in.ts';
import type { SessionCookies } from './session-cookies.ts';
import { sessionMigrations } from './sessions.tables.ts';
import { secretKeys } from './token-keys.ts';
import { WEB_TAGS } from './web.contract.ts';

export type AuthContext = Pick<Base, 'database' | 'clock' | 'log' | 'rateLimit' | 'keyValue'> & {
  config: Pick<Config, 'jwtSecret' | 'localPlan' | 'registration'>;
  sessionCookies: SessionCookies;
};

/** Sign-in to a self-hosted core, and the check of access tokens for all routes. */
export const authModule = defineModule({
  name: 'auth',
  tags: {
    Auth: 'Accounts of a self-hosted core: register, sign in, stay signed in, sign out.',
    ...WEB_TAGS,
    ...PASSWORD_TAG,
  },
  uses: { people: peopleModule },
  tables: sessionMigrations,
  create(context: AuthContext, { people: { users, passwords } }) {
    const { jwtSecret: secret, localPlan: plan, registration } = context.config;
    const identity = createIdentity({
      ...context,
      users,
      keys: secretKeys(secret),
      refreshSecret: secret,
      planOf: async () => ({ plan, overrides: {} }),
    });
    const { sessions, attempts } = identity;
    const signInByPassword = createPasswordSignIn({ users, passwords, attempts });
    const auth = createAuth({ users, signInByPassword, identity, registration, plan });
    const passwordChanges = createPasswordChanges({
      users,
      passwords,
      sessions,
      countAttempt: attempts.count,
    });
    const resets = createPasswordResets({ ...context, users });
    return {
      service: { auth, identity, authenticate: identity.authenticator.authenticate },
      routes: [
        ...authRoutes({ auth, passwords: passwordChanges, identity, sessionCookies: context.sessionCookies }),
        ...passwordResetRoutes({ resets, attempts }),
      ],
    };
  },
});
