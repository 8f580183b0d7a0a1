import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { providerPage } from './browser.ts';
import { listen, readForm, type TestServer } from './listen.ts';
import { CLIENT, type Person } from './people.ts';

interface Grant {
  login: string;
  redirectUri: string;
  challenge: string;
}

/** OAuth 2 as GitHub speaks it: the token address reports errors with 200, and the profile comes from `/user`. */
export function startGitHubServer(
  redirectUris: readonly string[],
  people: ReadonlyMap<string, Person>,
): Promise<TestServer> {
  const codes = new Map<string, Grant>();
  const tokens = new Map<string, string>();

  async function authorize(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const query = Object.fromEntries(url.searchParams);
    const { redirect_uri: redirectUri = '', code_challenge: challenge = '', state = '' } = query;
    const fits =
      query.client_id === CLIENT.clientId &&
      query.code_challenge_method === 'S256' &&
      redirectUris.includes(redirectUri);
    if (!fits) return void response.writeHead(400).end('not a client of ours');
    if (request.method !== 'POST') {
      response.setHeader('content-type', 'text/html');
      return void response.end(providerPage(url.pathname + url.search));
    }
    const form = await readForm(request);
    const back = new URL(redirectUri);
    back.searchParams.set('state', state);
    if (form.get('decision') === 'deny') back.searchParams.set('error', 'access_denied');
    else {
      const code = randomUUID();
      codes.set(code, { login: form.get('login') ?? '', redirectUri, challenge });
      back.searchParams.set('code', code);
    }
    response.writeHead(302, { location: back.href }).end();
  }

  async function token(request: IncomingMessage): Promise<object> {
    const form = await readForm(request);
    const code = form.get('code') ?? '';
    const grant = codes.get(code);
    codes.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const fits =
      form.get('client_id') === CLIENT.clientId &&
      form.get('client_secret') === CLIENT.clientSecret &&
      grant?.redirectUri === form.get('redirect_uri') &&
      grant?.challenge === challenge;
    if (!grant || !fits)
      return { error: 'bad_verification_code', error_description: 'The code is incorrect' };
    const accessToken = `gho_${randomUUID()}`;
    tokens.set(accessToken, grant.login);
    return { access_token: accessToken, token_type: 'bearer', scope: 'read:user,user:email' };
  }

  function answerApi(path: string, request: IncomingMessage): object | null {
    const login = tokens.get(request.headers.authorization?.replace(/^Bearer /i, '') ?? '') ?? '';
    const person = people.get(login);
    if (person === undefined) return null;
    const { email, verified, name, picture } = person;
    const other = { email: 'other@example.com', primary: false, verified: true };
    if (path === '/user/emails') return [other, { email, primary: true, verified }];
    return { id: login.length * 1000 + login.charCodeAt(0), login, name, avatar_url: picture, email: null };
  }

  return listen(async (base) => async (request, response) => {
    const url = new URL(request.url ?? '/', base);
    if (url.pathname === '/login/oauth/authorize') return authorize(url, request, response);
    const isToken = url.pathname === '/login/oauth/access_token';
    const answer = isToken ? await token(request) : answerApi(url.pathname, request);
    response.writeHead(answer === null ? 401 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
}
