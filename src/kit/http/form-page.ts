import { hash } from 'node:crypto';
import { Reply } from '../route.ts';

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:10vh auto;padding:0 1rem;overflow-wrap:anywhere}
h1{font-size:1.4rem}button{font:inherit;padding:.5rem 1rem}`;

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'cache-control': 'no-store',
  // With `no-referrer`, browsers would submit the form without an origin.
  'referrer-policy': 'same-origin',
};

/** A page with at most one form, sent to this origin. Title and content are HTML. */
export const formPage = (title: string, content: string, status = 200): Reply =>
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
