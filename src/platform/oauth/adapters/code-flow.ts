import {
  type AuthorizationCodeGrantChecks,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
} from 'openid-client';
import type { AuthorizationRequest, AuthorizationResponse } from '../oauth.ts';
import { boundedFetch } from './bounded-fetch.ts';

/** Seconds for one reply, by default. */
const ANSWER_WITHIN = 8;

export interface ClientOptions {
  clientId: string;
  clientSecret: string;
  /** Seconds. */
  answerWithin?: number;
}

/** Plain HTTP is for providers on this machine; the settings allow no others. */
export const httpOptions = (address: string, { answerWithin = ANSWER_WITHIN }: ClientOptions) => ({
  execute: address.startsWith('http:') ? [allowInsecureRequests] : [],
  timeout: answerWithin,
  [customFetch]: boundedFetch,
});

/** With PKCE. */
export async function authorizationUrlOf(
  config: Configuration,
  { redirectUri, state, codeVerifier }: AuthorizationRequest,
  parameters: Readonly<Record<string, string>>,
): Promise<string> {
  return buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    state,
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...parameters,
  }).href;
}

/** The caller has checked the state, which only it knows. */
export function exchangeCode(
  config: Configuration,
  { code, issuer, redirectUri, codeVerifier }: AuthorizationResponse,
  checks: AuthorizationCodeGrantChecks = {},
) {
  const answered = new URL(redirectUri);
  answered.searchParams.set('code', code);
  if (issuer !== null) answered.searchParams.set('iss', issuer);
  return authorizationCodeGrant(config, answered, { pkceCodeVerifier: codeVerifier, ...checks });
}
