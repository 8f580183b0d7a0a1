import type { IncomingHttpHeaders } from 'node:http';
import { badRequest } from '../../kit/errors.ts';
import { Reply } from '../../kit/route.ts';
import { OUTCOMES, type OutcomeCode } from './outcome.ts';

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
};

/** Reports a failure that has no trusted address to redirect to: a page, or JSON for a program. */
export function outcomeReply(code: OutcomeCode, { accept }: IncomingHttpHeaders): Reply {
  if (/^\s*application\/json\b/i.test(accept ?? '')) throw badRequest(OUTCOMES[code], { code });
  return outcomePage(code);
}

const outcomePage = (code: OutcomeCode): Reply =>
  new Reply(
    `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Canonry</title>
<h1>Not signed in</h1>
<p>${OUTCOMES[code]}</p>
<p><small>${code}</small></p>
</html>
`,
    { status: 400, headers: HEADERS },
  );
