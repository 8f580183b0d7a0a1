/** The users' consents to cloud drives. The accounts service alone holds their tokens (spec 2 §2.4, §5). */
export interface DriveAccounts {
  status(userId: string): Promise<DriveConsent>;
  /**
   * An access token that is valid for at least a minute. It is refreshed once, however many callers ask. `refused`: a token that the
   * drive did not accept, so another one is needed. Throws 409 `not_connected` if the user has no consent or it has ended, 409
   * `not_configured` if this installation has no provider, 503 if it does not answer.
   */
  accessToken(userId: string, refused?: string): Promise<string>;
  /** The tokens of a desktop install become the user's. Tokens left out stay; 409 `not_connected` if there are none. */
  keepTokens(userId: string, tokens: DesktopTokens): Promise<DriveConsent>;
  /** Deletes the tokens and tells the provider. Also resolves if there are none. */
  disconnect(userId: string): Promise<void>;
}

export interface DesktopTokens {
  accessToken?: string;
  refreshToken?: string;
  /** ISO 8601. */
  expiresAt?: string;
}

export interface DriveConsent {
  /** The installation can ask a provider for consent. */
  isConfigured: boolean;
  /** The provider's id, such as `google`; null if none is configured. */
  provider: string | null;
  /** There are tokens, and they were accepted when they were last used. */
  isConnected: boolean;
  scopes: readonly string[];
  /** ISO 8601; null if unknown. */
  expiresAt: string | null;
  /** ISO 8601; null if the tokens are as the provider first gave them. */
  refreshedAt: string | null;
  /** Why the connection ended, for users; null while it works, or if there never was one. */
  problem: string | null;
}

/** The scope that lets Canonry read and write the files it made or that were picked for it. */
export const DRIVE_FILE_SCOPE = 'https://www.googleapis.com/auth/drive.file';
