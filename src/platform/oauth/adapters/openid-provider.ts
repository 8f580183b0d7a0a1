import {
  ClientSecretPost,
  type Configuration,
  discovery,
  fetchUserInfo,
  ResponseBodyError,
  refreshTokenGrant,
  type TokenEndpointResponse,
  tokenRevocation,
} from 'openid-client';
import { OAuthError, type OAuthProfile, type OAuthProvider, type OAuthTokens } from '../oauth.ts';
import { withOAuthErrors } from './bounded-fetch.ts';
import { authorizationUrlOf, type ClientOptions, exchangeCode, httpOptions } from './code-flow.ts';

export interface OpenIdOptions extends ClientOptions {
  id: string;
  label: string;
  /** Base address of its discovery document. */
  issuer: string;
  /** The scope of access to files; null if the provider stores no files. */
  storageScope: string | null;
}

/** An OpenID Connect provider, such as Google. Its endpoints and keys are discovered on first use. */
export function createOpenIdProvider(options: OpenIdOptions): OAuthProvider {
  const { id, label, storageScope } = options;
  const configuration = createDiscovery(options);

  return {
    id,
    label,
    authorizationUrl: (request) =>
      withOAuthErrors(async () =>
        authorizationUrlOf(await configuration(), request, {
          scope: 'openid email profile',
          nonce: request.nonce,
        }),
      ),
    signIn: (response) =>
      withOAuthErrors(async () => {
        const config = await configuration();
        const tokens = await exchangeCode(config, response, { expectedNonce: response.nonce });
        const claims = tokens.claims();
        if (claims === undefined) throw new OAuthError('refused', 'The provider sent no ID token');
        if (claims.email !== undefined) return profileOf(claims);
        return profileOf(await fetchUserInfo(config, tokens.access_token, claims.sub));
      }),
    storage: storageScope === null ? null : storageOf(configuration, storageScope),
  };
}

/** Discovery that failed is tried again at the next use. */
function createDiscovery(options: OpenIdOptions): () => Promise<Configuration> {
  const { issuer, clientId, clientSecret } = options;
  let discovered: Promise<Configuration> | null = null;
  return () => {
    discovered ??= discovery(
      new URL(issuer),
      clientId,
      clientSecret,
      ClientSecretPost(clientSecret),
      httpOptions(issuer, options),
    ).catch((error: unknown) => {
      discovered = null;
      throw error;
    });
    return discovered;
  };
}

function storageOf(
  configuration: () => Promise<Configuration>,
  scope: string,
): NonNullable<OAuthProvider['storage']> {
  return {
    // Google gives a refresh token only for offline access, and after the first time only if consent is asked again.
    authorizationUrl: (request) =>
      withOAuthErrors(async () =>
        authorizationUrlOf(await configuration(), request, {
          scope,
          access_type: 'offline',
          prompt: 'consent',
        }),
      ),
    connect: (response) =>
      withOAuthErrors(async () => {
        const tokens = tokensOf(await exchangeCode(await configuration(), response), scope);
        if (tokens.scopes.includes(scope)) return tokens;
        throw new OAuthError('denied', 'The access to files was not granted');
      }),
    refresh: (refreshToken) =>
      withOAuthErrors(async () => {
        const config = await configuration();
        return tokensOf(await refreshTokenGrant(config, refreshToken).catch(failRefresh), scope);
      }),
    revoke: (token) => withOAuthErrors(async () => tokenRevocation(await configuration(), token)),
  };
}

const UNAUTHORIZED = 401;

/**
 * `refused` ends a user's connection, so it takes the provider's word on this very token. A wrong client secret, which concerns all
 * users and will be set right, and an answer that is not understood must not end them.
 */
function failRefresh(error: unknown): never {
  const isAnswer = error instanceof ResponseBodyError;
  const isOver =
    isAnswer &&
    (error.error === 'invalid_grant' || (error.status === UNAUTHORIZED && error.error !== 'invalid_client'));
  if (isOver) throw new OAuthError('refused', 'The refresh token is no longer good', { cause: error });
  const reason = isAnswer ? `: ${error.error}` : '';
  throw new OAuthError('unavailable', `The provider did not refresh the access${reason}`, { cause: error });
}

const textOr = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const profileOf = (claims: Readonly<Record<string, unknown>> & { sub: string }): OAuthProfile => ({
  subject: claims.sub,
  email: textOr(claims.email),
  emailVerified: claims.email_verified === true,
  name: textOr(claims.name),
  picture: textOr(claims.picture),
});

/** A provider that names no scopes has granted the requested ones (RFC 6749 §5.1). */
const tokensOf = (response: TokenEndpointResponse, asked: string): OAuthTokens => ({
  accessToken: response.access_token,
  refreshToken: response.refresh_token ?? null,
  expiresIn: response.expires_in ?? null,
  scopes: (response.scope ?? asked).split(' '),
});
