/** Of `codeVerifier`, the PKCE secret, only the S256 challenge is sent. */
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

/** Providers without ID tokens ignore it. */
export interface WithNonce {
  nonce: string;
}

export interface OAuthProfile {
  /** The provider's own account id, which is never reassigned. */
  subject: string;
  email: string | null;
  /** The provider has verified that the address belongs to this person. */
  emailVerified: boolean;
  name: string | null;
  picture: string | null;
}

export interface OAuthTokens {
  accessToken: string;
  /** Null if the provider gives none, or after a refresh if the previous one stays valid. */
  refreshToken: string | null;
  /** Seconds; null if the provider does not say. */
  expiresIn: number | null;
  scopes: readonly string[];
}

export interface OAuthStorage {
  authorizationUrl(request: AuthorizationRequest): Promise<string>;
  /** Throws `denied` if the person did not grant it. */
  connect(response: AuthorizationResponse): Promise<OAuthTokens>;
  /** Throws `refused` only if this refresh token is no longer good; a provider that refuses this service itself is `unavailable`. */
  refresh(refreshToken: string): Promise<OAuthTokens>;
  /** Also resolves for unknown tokens. */
  revoke(token: string): Promise<void>;
}

/** Every method rejects only with `OAuthError`, within seconds. */
export interface OAuthProvider {
  /** As in addresses: `google`. */
  id: string;
  label: string;
  authorizationUrl(request: AuthorizationRequest & WithNonce): Promise<string>;
  /** The code can be used once. */
  signIn(response: AuthorizationResponse & WithNonce): Promise<OAuthProfile>;
  /** Null if the provider stores no files. */
  storage: OAuthStorage | null;
}

/** `denied`: no consent. `refused`: the code, a token or the reply is not acceptable. `unavailable`: try again. */
export class OAuthError extends Error {
  readonly code: 'denied' | 'refused' | 'unavailable';

  constructor(code: OAuthError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OAuthError';
    this.code = code;
  }
}
