/** Parameters of an authorization page. `codeVerifier` is the PKCE secret, of which only the S256 challenge is sent. */
export interface AuthorizationRequest {
  redirectUri: string;
  state: string;
  /** 43 to 128 characters of A-Z, a-z, 0-9, `-`, `.`, `_`, `~`. */
  codeVerifier: string;
}

/** The provider's response, its state already checked; `redirectUri` and `codeVerifier` repeat the request's. */
export interface AuthorizationResponse {
  code: string;
  /** The parameter `iss`, if the provider names itself (RFC 9207). */
  issuer: string | null;
  redirectUri: string;
  codeVerifier: string;
}

/** Binds an ID token to its request; providers without ID tokens ignore it. */
export interface WithNonce {
  nonce: string;
}

/** A person's account at the provider. */
export interface OAuthProfile {
  /** The provider's own account id, which is never reassigned. */
  subject: string;
  email: string | null;
  /** True if the provider has verified that the address belongs to this person. */
  emailVerified: boolean;
  name: string | null;
  picture: string | null;
}

export interface OAuthTokens {
  accessToken: string;
  /** Null if the provider gives none, or after a refresh if the previous one stays valid. */
  refreshToken: string | null;
  /** Seconds from now; null if the provider does not say. */
  expiresIn: number | null;
  scopes: readonly string[];
}

/** Access to a person's files at the provider. */
export interface OAuthStorage {
  authorizationUrl(request: AuthorizationRequest): Promise<string>;
  /** Throws `denied` if the person did not grant the requested access. */
  connect(response: AuthorizationResponse): Promise<OAuthTokens>;
  refresh(refreshToken: string): Promise<OAuthTokens>;
  /** Revokes a token at the provider; also resolves for unknown tokens. */
  revoke(token: string): Promise<void>;
}

/** An identity provider. Every method rejects only with `OAuthError`, within seconds. */
export interface OAuthProvider {
  /** As in addresses: `google`. */
  id: string;
  label: string;
  authorizationUrl(request: AuthorizationRequest & WithNonce): Promise<string>;
  /** Exchanges the code, which can be used once, and returns the profile. */
  signIn(response: AuthorizationResponse & WithNonce): Promise<OAuthProfile>;
  /** Null if the provider stores no files. */
  storage: OAuthStorage | null;
}

/**
 * `denied`: the person did not consent. `refused`: the code, a token or the provider's reply is not acceptable.
 * `unavailable`: the provider is down or slow; try again.
 */
export class OAuthError extends Error {
  readonly code: 'denied' | 'refused' | 'unavailable';

  constructor(code: OAuthError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OAuthError';
    this.code = code;
  }
}
