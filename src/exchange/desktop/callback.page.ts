import { escapedHtml } from '../../kit/http/html.ts';
export interface CallbackOutcome {
  isSignedIn: boolean;
  text: string;
}

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
};

export const callbackPage = ({ isSignedIn, text }: CallbackOutcome) => ({
  headers: HEADERS,
  body: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Canonry</title>
<h1>${isSignedIn ? 'Signed in' : 'Not signed in'}</h1>
<p>${escapedHtml(text)}</p>
</html>
`,
});
