import { randomToken } from '../../kit/crypto.ts';
import type { Cookie } from '../../kit/route.ts';
import type { BrowserKey } from './pending.ts';

const NAME = 'canonry_oauth';
const FORM = /^[A-Za-z0-9_-]{43}$/;

type Cookies = Readonly<Record<string, string | undefined>>;

/** The key of the browser that a request comes from; undefined where it has none. */
export function browserOf(cookies: Cookies): BrowserKey | undefined {
  const value = cookies[NAME];
  return value !== undefined && FORM.test(value) ? value : undefined;
}

/** The browser's key, a new one where it has none: two tabs of one browser share it. */
export const browserOrNew = (cookies: Cookies): BrowserKey => browserOf(cookies) ?? randomToken();

/** Keeps the key as long as a way to a provider may take. */
export const browserCookie = (browser: BrowserKey): Cookie => ({
  name: NAME,
  value: browser,
  path: '/api/auth',
  maxAgeSeconds: 600,
});
