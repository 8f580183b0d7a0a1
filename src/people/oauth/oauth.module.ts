import { defineModule } from '../../frame/module.ts';
import type { CookieName } from '../../kit/http/cookie-names.ts';
import { route } from '../../kit/route.ts';
import type { OAuthProvider } from '../../platform/oauth/oauth.ts';
import { type AccountsContext, accountsModule } from '../accounts/index.ts';
import { peopleModule } from '../users/index.ts';
import { createBrowserCookie } from './browser-cookie.ts';
import { createConnectionEnding } from './connection-ending.ts';
import { createConnections } from './connections.service.ts';
import { createConnectionStore } from './connections.store.ts';
import { desktopSignInRoutes } from './desktop-sign-in.routes.ts';
import { createDesktopSignIn } from './desktop-sign-in.service.ts';
import { driveTokenRoutes } from './drive-tokens.routes.ts';
import { createDriveTokens } from './drive-tokens.service.ts';
import { createFlows } from './flows.ts';
import { oauthRoutes } from './oauth.routes.ts';
import { oauthMigrations } from './oauth.tables.ts';
import { createOneTimeCodes } from './one-time-codes.ts';
import { createPendingFlows } from './pending.ts';
import { createProviders } from './providers.ts';
import { createReturnUrls } from './return-urls.ts';
import { createSignIn } from './sign-in.service.ts';
import { getSignInOptions } from './sign-in-options.contract.ts';
import { createSocialAccounts } from './social-accounts.ts';
import { storageRoutes } from './storage.routes.ts';
import { createStorageConnecting } from './storage.service.ts';
import { createTokenRefresh } from './token-refresh.ts';
import { createTokenSeals } from './token-seals.ts';

export interface OAuthContext extends AccountsContext {
  providers: readonly OAuthProvider[];
  cookieName: CookieName;
}

/** Sign-in by OAuth providers, and access to people's files there (spec 1 §4.9, spec 2 §5). */
export const oauthModule = defineModule({
  name: 'oauth',
  tags: {
    'Sign-in by provider': 'Accounts by way of Google or GitHub, for browsers and apps.',
    'Connected storage': "Access to people's files at a provider: connect, look, disconnect.",
  },
  uses: { people: peopleModule, accounts: accountsModule },
  tables: oauthMigrations,
  create(context: OAuthContext, { people: { users }, accounts: { accounts, invites, identity } }) {
    const { database, keyValue, clock, config, box, publicUrl, sessionCookies } = context;
    const log = context.log.child('oauth');
    const { authenticate } = identity.authenticator;
    const browserCookie = createBrowserCookie(context.cookieName);
    const providers = createProviders(context.providers);
    const returnUrls = createReturnUrls(publicUrl, config.oauthReturnUrls);
    const flows = createFlows({ pending: createPendingFlows({ keyValue, box }), publicUrl });
    const people = createSocialAccounts({ database, clock, users, accounts, invites });
    const oneTimeCodes = createOneTimeCodes({ keyValue, users });
    const seals = createTokenSeals(box);
    const store = createConnectionStore(database.system);
    const connections = createConnections({ store, seals, providers, clock, log });
    const endConnection = createConnectionEnding({ store, users, clock, log, publicUrl });
    const withTokens = { database: database.system, store, seals, providers, clock, log };
    const driveTokens = createDriveTokens({
      ...withTokens,
      users,
      connections,
      accessToken: createTokenRefresh({ ...withTokens, endConnection }),
    });
    const signIn = createSignIn({ providers, flows, returnUrls, people, oneTimeCodes, accounts, log });
    const desktopSignIn = createDesktopSignIn({
      users,
      accounts,
      oneTimeCodes,
      authenticate,
      sessionCookies,
    });
    const storage = createStorageConnecting({ providers, flows, returnUrls, connections, users, log });
    return {
      routes: [
        ...oauthRoutes({ providers, signIn, sessionCookies, browserCookie }),
        ...desktopSignInRoutes({ providers, desktopSignIn }),
        ...storageRoutes({ providers, storage, connections, browserCookie }),
        ...driveTokenRoutes(driveTokens),
        route(getSignInOptions, () => ({
          registration: config.registration,
          providers: context.providers.map(({ id }) => id),
          mail: config.smtpUrl !== null,
        })),
      ],
    };
  },
});
