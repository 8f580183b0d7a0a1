import { escapedHtml } from '../../kit/http/html.ts';
/** What the person is told in the browser. */
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

/** What a browser shows at the end of a sign-in. */
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
