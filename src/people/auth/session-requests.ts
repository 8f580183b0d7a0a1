import { unauthorized } from '../../kit/errors.ts';
import { bearerOf } from '../../kit/http/bearer.ts';
import { Reply, type RouteRequest } from '../../kit/route.ts';
import type { Identity } from './identity.ts';
import type { CookieTokens, SessionCookies } from './session-cookies.ts';

/** A request that may carry its refresh token in the body, in the header `X-Refresh-Token` or in a cookie, in this order. */
type SessionRequest = Pick<RouteRequest, 'headers' | 'cookies'> & {
  body: { refresh_token?: string } | undefined;
};

const SIGNED_OUT = { message: 'Signed out' };

function givenToken({ body, headers }: SessionRequest): string | undefined {
  const header = headers['x-refresh-token'];
  return body?.refresh_token ?? (typeof header === 'string' && header !== '' ? header : undefined);
}

/** New tokens for a refresh token; for one in a cookie, the new one is a cookie too and not in the body. */
export async function renewSession<Tokens extends CookieTokens>(
  request: SessionRequest,
  sessionCookies: SessionCookies,
  refresh: (token: string) => Promise<Tokens>,
): Promise<Tokens | Reply> {
  const given = givenToken(request);
  if (given !== undefined) return refresh(given);
  const kept = request.cookies[sessionCookies.refresh];
  if (kept === undefined) throw noRefreshToken();
  const tokens = await refresh(kept);
  const { refresh_token: _, ...shown } = tokens;
  return new Reply(shown, { cookies: sessionCookies.of(tokens) });
}

/** Ends the sessions of the request's tokens. Cookies count, and end, where neither the header nor the body has a token. */
export async function endSession(
  request: SessionRequest,
  sessionCookies: SessionCookies,
  signOut: Identity['signOut'],
): Promise<typeof SIGNED_OUT | Reply> {
  const { headers, cookies } = request;
  const refresh = givenToken(request);
  // A caller that sends its own token means that session, not the browser's.
  if (headers.authorization !== undefined || refresh !== undefined) {
    await signOut({ access: bearerOf(headers), refresh });
    return SIGNED_OUT;
  }
  const { [sessionCookies.access]: access, [sessionCookies.refresh]: kept } = cookies;
  await signOut({ access, refresh: kept });
  return new Reply(SIGNED_OUT, { cookies: sessionCookies.ended });
}

const noRefreshToken = () =>
  unauthorized(
    'Send the refresh token: in the body as refresh_token, as X-Refresh-Token, or by the cookie of a web login',
    { code: 'not_authenticated' },
  );
