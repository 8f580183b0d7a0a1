import { hash } from 'node:crypto';
import { escapedHtml } from '../../kit/http/html.ts';
import { type Cookie, Reply } from '../../kit/route.ts';

export interface SignInPage {
  /** Target of the form: this page's own address, with the install's request. */
  action: string;
  /** Origin that the form may finally redirect to. */
  redirectOrigin: string;
  client: string | null;
  /** The person who is already signed in in this browser. */
  email: string | null;
  providers: readonly { name: string; url: string }[];
  /** The fault of the last attempt. */
  problem?: { message: string; email: string; status: number };
  cookies?: readonly Cookie[];
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:10vh auto;padding:0 1rem;color:#1c1b1a;background:#faf8f5}
h1{font-size:1.4rem}label{display:block;margin:.8rem 0}input{display:block;width:100%;box-sizing:border-box;font:inherit;padding:.5rem;border:1px solid #8a8580;border-radius:4px}
button{font:inherit;padding:.5rem 1rem;margin:.5rem .5rem 0 0;border-radius:4px;border:1px solid #8a8580;background:#fff;cursor:pointer}
button.main{background:#2b4c6f;color:#fff;border-color:#2b4c6f}.problem{color:#9b1c1c}small{color:#5c5753}`;
const STYLE_HASH = `'sha256-${hash('sha256', STYLE, 'base64')}'`;

/** Browsers apply `form-action` to the redirect after a form as well, so that address is listed. */
const headersFor = (redirectOrigin: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src ${STYLE_HASH}; form-action 'self' ${redirectOrigin}; frame-ancestors 'none'; base-uri 'none'`,
  'cache-control': 'no-store',
  // With `no-referrer`, browsers would submit the form without an origin.
  'referrer-policy': 'same-origin',
});

const agreement = (email: string): string =>
  `<p>You are signed in as <strong>${escapedHtml(email)}</strong>.</p>
<button class="main" name="decision" value="allow">Sign in</button>`;

const credentials = (email: string): string =>
  `<label>E-mail <input name="email" type="email" autocomplete="username" required value="${escapedHtml(email)}"></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button class="main" name="decision" value="allow">Sign in</button>`;

/** The sign-in page for a desktop install: a signed-in person only confirms, anybody else signs in first. */
export function signInPage(page: SignInPage): Reply {
  const { action, client, email, providers, problem, cookies = [] } = page;
  const others = providers.map(
    ({ name, url }) => `<li><a href="${escapedHtml(url)}">${escapedHtml(name)}</a></li>`,
  );
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sign in to Canonry</title>
<style>${STYLE}</style>
<h1>Sign in to Canonry on ${client === null ? 'this computer' : `“${escapedHtml(client)}”`}</h1>
<p>Canonry on that computer will be able to read and change your worlds just as you can. Continue only if you have just started this there.</p>
${problem ? `<p class="problem" role="alert">${escapedHtml(problem.message)}</p>` : ''}
<form method="post" action="${escapedHtml(action)}">
${email === null ? credentials(problem?.email ?? '') : agreement(email)}
<button name="decision" value="deny" formnovalidate>Cancel</button>
</form>
${others.length > 0 ? `<p>Or ${email === null ? 'sign in' : 'use another account'} with:</p>\n<ul>${others.join('')}</ul>` : ''}
</html>
`;
  return new Reply(body, {
    status: problem?.status ?? 200,
    headers: headersFor(page.redirectOrigin),
    cookies,
  });
}
