export interface SignedIn {
  access_token: string;
  refresh_token: string;
  /** Seconds until the access token expires. */
  expires_in: number;
  /** The display name. */
  account: string;
}

/** Every method throws only `CloudError`. */
export interface CloudAccounts {
  /** Exchanges the code of a browser sign-in. */
  exchange(url: string, code: string, verifier: string): Promise<SignedIn>;
  /** Ends the session, even if the access token has expired. */
  revoke(url: string, tokens: { access_token: string; refresh_token: string }): Promise<void>;
}
