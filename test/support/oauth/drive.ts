import assert from 'node:assert/strict';
import { createOpenIdProvider } from '../../../src/platform/oauth/adapters/openid-provider.ts';
import { agreeAs, createBrowser } from './browser.ts';
import { DRIVE_SCOPE } from './openid-server.ts';
import { CLIENT } from './people.ts';
import { type OAuthService, SERVICE_TOKEN } from './service.ts';

const REDIRECT_URI = 'https://core.example/drive/callback';

/** Google's drives, asked without the service. */
export function googleDrive({ google }: OAuthService) {
  const { storage } = createOpenIdProvider({
    id: 'google',
    label: 'Google',
    issuer: google.url,
    storageScope: DRIVE_SCOPE,
    ...CLIENT,
  });
  assert.ok(storage);
  return storage;
}

/** The person agrees, and the provider's answer may be exchanged for tokens. */
export async function agreeToDrive(service: OAuthService) {
  const codeVerifier = 'v'.repeat(43);
  const request = { redirectUri: REDIRECT_URI, state: 's', codeVerifier };
  const url = await googleDrive(service).authorizationUrl(request);
  const stopAt = ({ href }: URL) => href.startsWith(REDIRECT_URI);
  const { searchParams } = (await agreeAs(createBrowser(), url, { login: 'mara' }, { stopAt })).url;
  return {
    redirectUri: REDIRECT_URI,
    codeVerifier,
    code: searchParams.get('code') ?? '',
    issuer: searchParams.get('iss'),
  };
}

/** By way of a core, as in production. */
export async function connectDrive(service: OAuthService, userId: string): Promise<void> {
  const { redirectUri, codeVerifier, code, issuer } = await agreeToDrive(service);
  const body = {
    user_id: userId,
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
    iss: issuer,
  };
  const path = '/internal/storage-oauth/google/exchange';
  const { status, text } = await service.call('POST', path, { token: SERVICE_TOKEN, body });
  assert.equal(status, 200, text);
}

export async function userNamed(service: OAuthService, email: string): Promise<string> {
  await service.register(email);
  return (await service.surface.users.findByEmail(email))?.user.userId ?? '';
}
