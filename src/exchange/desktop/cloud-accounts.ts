/** Who has signed in, as the cloud's accounts tell it. */
export interface SignedIn {
  access_token: string;
  refresh_token: string;
  /** Seconds until the access token runs out. */
  expires_in: number;
  /** As people are shown. */
  account: string;
}

/** Signing in to a cloud and out of it. Every method throws `CloudError` alone. */
export interface CloudAccounts {
  /** Exchanges the code of a sign-in by browser. */
  exchange(url: string, code: string, verifier: string): Promise<SignedIn>;
  /** Ends the session of both tokens, whether or not the access token has run out. */
  revoke(url: string, tokens: { access_token: string; refresh_token: string }): Promise<void>;
}
