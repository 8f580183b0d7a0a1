import { hash } from 'node:crypto';
import { escapedHtml } from '../../kit/http/html.ts';
import { Reply } from '../../kit/route.ts';

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:10vh auto;padding:0 1rem;overflow-wrap:anywhere}
h1{font-size:1.4rem}button{font:inherit;padding:.5rem 1rem}`;

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'cache-control': 'no-store',
  // With `no-referrer`, browsers would submit the form without an origin.
  'referrer-policy': 'same-origin',
};

const pageOf = (title: string, content: string, status: number): Reply =>
  new Reply(
    `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} – Canonry</title>
<style>${STYLE}</style>
<h1>${title}</h1>
${content}
</html>
`,
    { status, headers: HEADERS },
  );

/** The form is sent to the page's own address, which contains the token. */
export function verificationPage({
  email,
  email_verified,
}: {
  email: string;
  email_verified: boolean;
}): Reply {
  const address = `<strong>${escapedHtml(email)}</strong>`;
  if (email_verified)
    return pageOf('Your address is verified', `<p>${address} is verified. You can close this page.</p>`, 200);
  return pageOf(
    'Is this your address?',
    `<p>Somebody gave ${address} for an account of Canonry. Press the button only if that was you: it would give the account to somebody else.</p>
<form method="post"><button>Yes, verify ${address}</button></form>`,
    200,
  );
}

/** `reason` must be our own text. */
export const expiredPage = (reason: string): Reply =>
  pageOf('This link is no longer valid', `<p>${escapedHtml(reason)}.</p>`, 401);
