import { type Cookie, Reply, type Route, type RouteRequest, route } from '../../kit/route.ts';
import type { SessionCookies } from '../auth/index.ts';
import type { BrowserCookie } from './browser-cookie.ts';
import {
  exchangeOAuth,
  finishMobileOAuth,
  finishOAuth,
  listOAuthProviders,
  startMobileOAuth,
  startOAuth,
} from './oauth.contract.ts';
import { outcomeReply } from './outcome.page.ts';
import type { Providers } from './providers.ts';
import type { SignIn } from './sign-in.service.ts';

type StartRequest = RouteRequest<typeof startOAuth>;
type FinishRequest = RouteRequest<typeof finishOAuth>;

/** Addresses with codes must not be cached, nor appear in another site's log. */
const HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

export const redirect = (location: string, cookies: readonly Cookie[] = []): Reply =>
  new Reply('', { status: 302, headers: { ...HEADERS, location }, cookies });

export interface OAuthRoutesOptions {
  providers: Providers;
  signIn: SignIn;
  sessionCookies: SessionCookies;
  browserCookie: BrowserCookie;
}

export function oauthRoutes(options: OAuthRoutesOptions): Route[] {
  const { providers, signIn, sessionCookies, browserCookie } = options;

  async function start(begin: SignIn['start'], { params, query, cookies }: StartRequest): Promise<Reply> {
    const browser = browserCookie.keyOrNew(cookies);
    const { return_to: returnTo, code_challenge: challenge, invite } = query;
    const location = await begin(params.provider, { browser, returnTo, challenge, invite });
    return redirect(location, [browserCookie.of(browser)]);
  }

  async function finish(
    flow: 'sign-in' | 'mobile',
    { params, query, cookies, headers }: FinishRequest,
  ): Promise<Reply> {
    const at = { flow, provider: params.provider, browser: browserCookie.keyOf(cookies) };
    const arrival = await signIn.finish(at, query);
    if (arrival === null) return outcomeReply('invalid_state', headers);
    return redirect(arrival.location, arrival.tokens && sessionCookies.of(arrival.tokens));
  }

  return [
    route(listOAuthProviders, () => ({
      providers: providers.list.map(({ id, label, storage }) => ({
        id,
        name: label,
        start_url: `/api/auth/oauth/${id}`,
        storage: storage !== null,
      })),
    })),
    route(startOAuth, (request) => start(signIn.start, request)),
    route(finishOAuth, (request) => finish('sign-in', request)),
    route(exchangeOAuth, ({ body }) => signIn.exchange(body.code, body.code_verifier)),
    route(startMobileOAuth, (request) => start(signIn.startMobile, request)),
    route(finishMobileOAuth, (request) => finish('mobile', request)),
  ];
}
