import type { Module } from '../../frame/module.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Config } from '../../kit/config/index.ts';
import type { CookieName } from '../../kit/http/cookie-names.ts';
import type { Log } from '../../kit/log.ts';
import type { Authenticate } from '../../kit/principal.ts';
import type { SecretBox } from '../../kit/secret-box.ts';
import type { Database } from '../../platform/database/database.ts';
import type { KeyValue } from '../../platform/kv/kv.ts';
import type { OAuthProvider } from '../../platform/oauth/oauth.ts';
import type { AccountsService } from '../accounts/accounts.service.ts';
import type { SessionCookies } from '../accounts/session-cookies.ts';
import type { Invites } from '../invites/invites.service.ts';
import type { Users } from '../users/users.service.ts';
import { createBrowserCookie } from './browser-cookie.ts';
import { createConnections } from './connections.service.ts';
import { desktopSignInRoutes } from './desktop-sign-in.routes.ts';
import { createDesktopSignIn } from './desktop-sign-in.service.ts';
import { createHandoffs } from './handoffs.ts';
import { createJourneys } from './journeys.ts';
import { oauthRoutes } from './oauth.routes.ts';
import { createPendingStates } from './pending.ts';
import { createProviders } from './providers.ts';
import { createReturnUrls } from './return-urls.ts';
import { createSignIn } from './sign-in.service.ts';
import { createSocialAccounts } from './social-accounts.ts';
import { storageRoutes } from './storage.routes.ts';
import { createStorageConnecting } from './storage.service.ts';

export interface OAuthModuleOptions {
  database: Database;
  keyValue: KeyValue;
  clock: Clock;
  config: Pick<Config, 'oauthReturnUrls'>;
  box: SecretBox;
  log: Log;
  providers: readonly OAuthProvider[];
  users: Users;
  accounts: AccountsService;
  invites: Invites;
  /** Knows people by the access tokens of their sessions. */
  authenticate: Authenticate;
  sessionCookies: SessionCookies;
  cookieName: CookieName;
  /** Where browsers reach the surface. */
  publicUrl: string;
}

/** Signing in by other services, and people's files there (spec 1 §4.9, spec 2 §5). */
export function createOAuthModule(options: OAuthModuleOptions): Module {
  const { database, keyValue, clock, config, box, log, users, accounts, invites, authenticate, publicUrl } =
    options;
  const { sessionCookies } = options;
  const browserCookie = createBrowserCookie(options.cookieName);
  const providers = createProviders(options.providers);
  const returnUrls = createReturnUrls(publicUrl, config.oauthReturnUrls);
  const journeys = createJourneys({ pending: createPendingStates({ keyValue, box }), publicUrl });
  const people = createSocialAccounts({ database, clock, users, accounts, invites });
  const handoffs = createHandoffs({ keyValue, users });
  const connections = createConnections({ database, box, providers, clock, log });
  const signIn = createSignIn({ providers, journeys, returnUrls, people, handoffs, accounts, log });
  const desktopSignIn = createDesktopSignIn({ users, accounts, handoffs, authenticate, sessionCookies });
  const storage = createStorageConnecting({ providers, journeys, returnUrls, connections, users, log });
  return {
    name: 'oauth',
    routes: [
      ...oauthRoutes({ providers, signIn, sessionCookies, browserCookie }),
      ...desktopSignInRoutes({ providers, desktopSignIn }),
      ...storageRoutes({ providers, storage, connections, browserCookie }),
    ],
  };
}
