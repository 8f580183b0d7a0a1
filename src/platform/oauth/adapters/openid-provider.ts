import {
  ClientSecretPost,
  type Configuration,
  customFetch,
  discovery,
  fetchUserInfo,
  refreshTokenGrant,
  type TokenEndpointResponse,
  tokenRevocation,
} from 'openid-client';
import { OAuthError, type OAuthProfile, type OAuthProvider, type OAuthTokens } from '../oauth.ts';
import { boundedFetch, guarded } from './bounded-fetch.ts';
import {
  ANSWER_WITHIN,
  allowPlainHttp,
  authorizationUrlOf,
  type ClientOptions,
  exchangeCode,
} from './code-flow.ts';

export interface OpenIdOptions extends ClientOptions {
  id: string;
  label: string;
  /** Where its discovery document is. */
  issuer: string;
  /** The scope of access to files; null where the provider keeps none. */
  storageScope: string | null;
}

/** An OpenID Connect provider, such as Google. It is asked for its addresses and keys on first use. */
export function createOpenIdProvider(options: OpenIdOptions): OAuthProvider {
  const { id, label, storageScope } = options;
  const configuration = createDiscovery(options);

  return {
    id,
    label,
    authorizationUrl: (request) =>
      guarded(async () =>
        authorizationUrlOf(await configuration(), request, {
          scope: 'openid email profile',
          nonce: request.nonce,
        }),
      ),
    signIn: (response) =>
      guarded(async () => {
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

/** A provider that was down at the first try is asked again at the next. */
function createDiscovery(options: OpenIdOptions): () => Promise<Configuration> {
  const { issuer, clientId, clientSecret, answerWithin = ANSWER_WITHIN } = options;
  let discovered: Promise<Configuration> | null = null;
  return () => {
    discovered ??= discovery(new URL(issuer), clientId, clientSecret, ClientSecretPost(clientSecret), {
      execute: allowPlainHttp(issuer),
      timeout: answerWithin,
      [customFetch]: boundedFetch,
    }).catch((error: unknown) => {
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
    // Google gives a refresh token only for offline access, and after the first time only when consent is asked again.
    authorizationUrl: (request) =>
      guarded(async () =>
        authorizationUrlOf(await configuration(), request, {
          scope,
          access_type: 'offline',
          prompt: 'consent',
        }),
      ),
    connect: (response) =>
      guarded(async () => {
        const tokens = tokensOf(await exchangeCode(await configuration(), response), scope);
        if (tokens.scopes.includes(scope)) return tokens;
        throw new OAuthError('denied', 'The access to files was not granted');
      }),
    refresh: (refreshToken) =>
      guarded(async () => tokensOf(await refreshTokenGrant(await configuration(), refreshToken), scope)),
    revoke: (token) => guarded(async () => tokenRevocation(await configuration(), token)),
  };
}

const textOr = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const profileOf = (claims: Readonly<Record<string, unknown>> & { sub: string }): OAuthProfile => ({
  subject: claims.sub,
  email: textOr(claims.email),
  emailVerified: claims.email_verified === true,
  name: textOr(claims.name),
  picture: textOr(claims.picture),
});

/** A provider that names no scopes granted those that were asked for (RFC 6749 §5.1). */
const tokensOf = (response: TokenEndpointResponse, asked: string): OAuthTokens => ({
  accessToken: response.access_token,
  refreshToken: response.refresh_token ?? null,
  expiresIn: response.expires_in ?? null,
  scopes: (response.scope ?? asked).split(' '),
});
