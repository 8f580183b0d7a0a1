/** Or the address at which the browser was stopped (status 0). */
export interface Page {
  url: URL;
  status: number;
  text: string;
}

export interface Browser {
  /** Follows redirects, but stops before an address that `stopAt` accepts. */
  open(url: string | URL, options?: VisitOptions): Promise<Page>;
  /** Then goes on as `open` does. */
  submit(page: Page, values: Record<string, string>, options?: VisitOptions): Promise<Page>;
  /** As `name=value`. */
  cookies(host: string): string[];
}

export interface VisitOptions {
  stopAt?: (url: URL) => boolean;
  /** Of the first request. */
  headers?: Record<string, string>;
}

const MOST_REDIRECTS = 20;
const isRedirect = (status: number): boolean => status >= 301 && status <= 308;

interface Cookie {
  name: string;
  value: string;
  path: string;
}

/** Real sockets, no scripts. Cookies are kept by host, as in browsers: ports share them. */
export function createBrowser(): Browser {
  const jar = new Map<string, Map<string, Cookie>>();

  function keep(host: string, line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const at = pair.indexOf('=');
    const attribute = (name: string) =>
      attributes.find((each) => each.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1);
    const cookie = { name: pair.slice(0, at), value: pair.slice(at + 1), path: attribute('path') ?? '/' };
    const expires = attribute('expires');
    const isGone =
      attribute('max-age') === '0' || (expires !== undefined && Date.parse(expires) < Date.now());
    const ofHost = jar.get(host) ?? new Map<string, Cookie>();
    jar.set(host, ofHost);
    const key = `${cookie.name} ${cookie.path}`;
    if (isGone) ofHost.delete(key);
    else ofHost.set(key, cookie);
  }

  const cookiesFor = ({ hostname, pathname }: URL): string =>
    [...(jar.get(hostname)?.values() ?? [])]
      .filter(({ path }) => pathname.startsWith(path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');

  async function go(start: URL, init: RequestInit, { stopAt }: VisitOptions): Promise<Page> {
    let [url, request] = [start, init];
    for (let redirects = 0; redirects < MOST_REDIRECTS; redirects += 1) {
      if (stopAt?.(url) || !/^https?:$/.test(url.protocol)) return { url, status: 0, text: '' };
      const headers = { accept: 'text/html', cookie: cookiesFor(url), ...request.headers };
      const reply = await fetch(url, { ...request, headers, redirect: 'manual' });
      for (const line of reply.headers.getSetCookie()) keep(url.hostname, line);
      const text = await reply.text();
      const location = reply.headers.get('location');
      if (!isRedirect(reply.status) || location === null) return { url, status: reply.status, text };
      url = new URL(location, url);
      request = {};
    }
    throw new Error(`more than ${MOST_REDIRECTS} redirects, the last to ${url}`);
  }

  return {
    open: (url, options = {}) => go(new URL(url), { headers: options.headers ?? {} }, options),
    submit(page, values, options = {}) {
      const action = /<form[^>]+action="([^"]+)"/.exec(page.text)?.[1];
      if (action === undefined) throw new Error(`no form on ${page.url}: ${page.status} ${page.text}`);
      const body = new URLSearchParams(values);
      return go(new URL(action.replaceAll('&amp;', '&'), page.url), { method: 'POST', body }, options);
    },
    cookies: (host) => [...(jar.get(host)?.values() ?? [])].map(({ name, value }) => `${name}=${value}`),
  };
}

/** Signs in and agrees (or not) on a provider's pages, up to the redirect to `stopAt`. */
export async function agreeAs(
  browser: Browser,
  url: string | URL,
  values: { login: string; decision?: 'agree' | 'deny' },
  options: VisitOptions,
): Promise<Page> {
  let page = await browser.open(url, options);
  for (let forms = 0; forms < 3 && page.text.includes('data-provider'); forms += 1) {
    page = await browser.submit(page, { decision: 'agree', ...values }, options);
  }
  return page;
}

/** A provider's page with its form. */
export const providerPage = (action: string): string =>
  `<!doctype html><title>Sign in</title><form data-provider method="post" action="${action.replaceAll('&', '&amp;')}"><input name="login"><button>Agree</button></form>`;
