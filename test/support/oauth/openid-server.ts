import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';
import { providerPage } from './browser.ts';
import { listen, readForm, type TestServer } from './listen.ts';
import { createOpenIdMemory, type OpenIdMemory } from './openid-memory.ts';
import { CLIENT, type Person } from './people.ts';

export const DRIVE_SCOPE = 'https://www.googleapis.com/auth/drive.file';

export interface Refreshing {
  /** A refresh token is good once, and the reply names the next; one that comes back ends the whole grant. */
  rotates: boolean;
  /** Before each reply to a request for tokens. */
  pauseMs: number;
  /** Answers each refresh with this status and error. */
  refusal: { status: number; error: string } | null;
  /** Requests for tokens that have come, and refreshes that were answered. */
  begun: number;
  count: number;
}

export interface OpenIdServer extends TestServer {
  refreshing: Refreshing;
  /** Whether an access token is good for the drive. */
  admitsToDrive(token: string): boolean;
  /** As a person does on the provider's page of connected apps. */
  endConsent(login: string): void;
}

/** A real provider: sign-in, consent, ID tokens, refresh and revocation. */
export async function startOpenIdServer(
  redirectUris: readonly string[],
  people: ReadonlyMap<string, Person>,
): Promise<OpenIdServer> {
  const refreshing: Refreshing = { rotates: false, pauseMs: 0, refusal: null, begun: 0, count: 0 };
  const memory = createOpenIdMemory();
  const server = await listen(async (issuer) => {
    const provider = new Provider(issuer, await configurationOf(redirectUris, people, refreshing, memory));
    provider.use(async (context, next) => {
      if (context.path === '/token') {
        refreshing.begun += 1;
        await setTimeout(refreshing.pauseMs);
      }
      await next();
      if (context.oidc?.params?.grant_type !== 'refresh_token') return;
      refreshing.count += 1;
      const { refusal } = refreshing;
      if (refusal === null) return;
      context.status = refusal.status;
      context.body = { error: refusal.error };
    });
    const handle = provider.callback();
    return (request, response) => {
      if (request.url?.startsWith('/interaction/')) void interact(provider, request, response);
      else void handle(request, response);
    };
  });
  return Object.assign(server, {
    refreshing,
    admitsToDrive(token: string) {
      const { exp = 0, scope = '' } = memory.find('AccessToken', token) ?? {};
      return exp * 1_000 > Date.now() && scope.split(' ').includes(DRIVE_SCOPE);
    },
    endConsent: memory.endGrantsOf,
  });
}

async function configurationOf(
  redirectUris: readonly string[],
  people: ReadonlyMap<string, Person>,
  refreshing: Refreshing,
  { adapter }: OpenIdMemory,
): Promise<Configuration> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return {
    adapter,
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [...redirectUris],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'test' }] },
    cookies: { keys: ['a key for the cookies of tests'] },
    scopes: ['openid', DRIVE_SCOPE],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true, allowedPolicy: async () => true },
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    issueRefreshToken: async (_context, _client, code) => code.scopes.has(DRIVE_SCOPE),
    rotateRefreshToken: () => refreshing.rotates,
    ttl: {
      AccessToken: 3600,
      Session: 600,
      Grant: 600,
      Interaction: 600,
      IdToken: 600,
      RefreshToken: 86_400,
    },
    findAccount: async (_context, login) => {
      const person = people.get(login);
      if (person === undefined) return undefined;
      const { email, verified, name, picture } = person;
      const claims = { sub: `sub-${login}`, email, email_verified: verified, name, picture };
      return { accountId: login, claims: async () => claims };
    },
  };
}

async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { uid, prompt, params, session, grantId } = await provider.interactionDetails(request, response);
  if (request.method !== 'POST') {
    response.setHeader('content-type', 'text/html');
    return void response.end(providerPage(`/interaction/${uid}`));
  }
  const form = await readForm(request);
  if (form.get('decision') === 'deny')
    return provider.interactionFinished(request, response, { error: 'access_denied' });
  if (prompt.name === 'login')
    return provider.interactionFinished(request, response, { login: { accountId: form.get('login') ?? '' } });
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant =
    known ?? new provider.Grant({ accountId: session?.accountId ?? '', clientId: String(params.client_id) });
  const missing = prompt.details.missingOIDCScope as string[] | undefined;
  if (missing) grant.addOIDCScope(missing.join(' '));
  return provider.interactionFinished(
    request,
    response,
    { consent: { grantId: await grant.save() } },
    { mergeWithLastSubmission: true },
  );
}
