import { randomToken } from '../../kit/crypto.ts';
import type { CookieName } from '../../kit/http/cookie-names.ts';
import type { Cookie } from '../../kit/route.ts';
import type { BrowserKey } from './pending.ts';

const PATH = '/api/auth';
const FORM = /^[A-Za-z0-9_-]{43}$/;

type Cookies = Readonly<Record<string, string | undefined>>;

/** The cookie that identifies a browser during an OAuth flow. */
export function createBrowserCookie(cookieName: CookieName) {
  const name = cookieName('oauth', PATH);

  /** The key of the request's browser; undefined if it has none. */
  function keyOf(cookies: Cookies): BrowserKey | undefined {
    const value = cookies[name];
    return value !== undefined && FORM.test(value) ? value : undefined;
  }

  return {
    keyOf,
    /** The browser's key, or a new one: two tabs of one browser share it. */
    keyOrNew: (cookies: Cookies): BrowserKey => keyOf(cookies) ?? randomToken(),
    /** Keeps the key for as long as a flow may take. */
    of: (browser: BrowserKey): Cookie => ({ name, value: browser, path: PATH, maxAgeSeconds: 600 }),
  };
}

export type BrowserCookie = ReturnType<typeof createBrowserCookie>;
