/** What an authorization page is asked with. `codeVerifier` is the PKCE secret: its S256 challenge is what is sent. */
export interface AuthorizationRequest {
  redirectUri: string;
  state: string;
  /** 43 to 128 characters of A-Z, a-z, 0-9, `-`, `.`, `_`, `~`. */
  codeVerifier: string;
}

/** What came back, its state already checked; `redirectUri` and `codeVerifier` as they were in the request. */
export interface AuthorizationResponse {
  code: string;
  /** The parameter `iss`, where the provider names itself (RFC 9207). */
  issuer: string | null;
  redirectUri: string;
  codeVerifier: string;
}

/** Binds an ID token to its request; providers without ID tokens leave it aside. */
export interface WithNonce {
  nonce: string;
}

/** Whom the provider knows. */
export interface OAuthProfile {
  /** The provider's own id of the account, which never changes hands. */
  subject: string;
  email: string | null;
  /** Whether the provider made sure that the address is this person's. */
  emailVerified: boolean;
  name: string | null;
  /** Address of a picture. */
  picture: string | null;
}

export interface OAuthTokens {
  accessToken: string;
  /** Null where the provider gives none; after a refresh: where the one before stays good. */
  refreshToken: string | null;
  /** Seconds from now; null where the provider does not say. */
  expiresIn: number | null;
  scopes: readonly string[];
}

/** Access to a person's files at the provider. */
export interface OAuthStorage {
  authorizationUrl(request: AuthorizationRequest): Promise<string>;
  /** `denied` when the person left out the access that was asked for. */
  connect(response: AuthorizationResponse): Promise<OAuthTokens>;
  refresh(refreshToken: string): Promise<OAuthTokens>;
  /** Tells the provider that a token is not used any more; resolves for tokens that it does not know. */
  revoke(token: string): Promise<void>;
}

/** A provider of identities. Every method rejects with `OAuthError` alone, within seconds. */
export interface OAuthProvider {
  /** As in addresses: `google`. */
  id: string;
  /** As people read it. */
  label: string;
  authorizationUrl(request: AuthorizationRequest & WithNonce): Promise<string>;
  /** Exchanges the code, which is good once, and says who came. */
  signIn(response: AuthorizationResponse & WithNonce): Promise<OAuthProfile>;
  /** Null where the provider keeps no files. */
  storage: OAuthStorage | null;
}

/**
 * `denied`: the person did not agree. `refused`: the code, a token or the provider's answer will not do.
 * `unavailable`: the provider is down or slow; worth another try.
 */
export class OAuthError extends Error {
  readonly code: 'denied' | 'refused' | 'unavailable';

  constructor(code: OAuthError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OAuthError';
    this.code = code;
  }
}
