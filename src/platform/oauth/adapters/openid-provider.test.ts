import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { agreeAs, createBrowser } from '../../../../test/support/oauth/browser.ts';
import { DRIVE_SCOPE, startOpenIdServer } from '../../../../test/support/oauth/openid-server.ts';
import { CLIENT, somebody } from '../../../../test/support/oauth/people.ts';
import { failsAs, oauthConformance, walk } from '../oauth.conformance.ts';
import { createOpenIdProvider } from './openid-provider.ts';

const REDIRECT_URI = 'http://127.0.0.1:9/callback';
const PEOPLE = new Map([
  ['mara', somebody('mara@example.com')],
  ['unverified', somebody('eve@example.com', false)],
]);

async function make(t: TestContext) {
  const server = await startOpenIdServer([REDIRECT_URI], PEOPLE);
  t.after(() => server.close());
  const provider = createOpenIdProvider({
    id: 'google',
    label: 'Google',
    issuer: server.url,
    storageScope: DRIVE_SCOPE,
    answerWithin: 1,
    ...CLIENT,
  });
  return {
    server,
    provider,
    redirectUri: REDIRECT_URI,
    agree: async (url: string, login: string, decision: 'agree' | 'deny' = 'agree') => {
      const stopAt = ({ href }: URL) => href.startsWith(REDIRECT_URI);
      return (await agreeAs(createBrowser(), url, { login, decision }, { stopAt })).url;
    },
    setState: (state: 'up' | 'down' | 'frozen') => {
      server.state = state;
    },
  };
}

oauthConformance('OpenID Connect', make);

test('an ID token of another request is refused', async (t) => {
  const setup = await make(t);
  const { response } = await walk(setup);
  await assert.rejects(setup.provider.signIn({ ...response, nonce: 'another' }), failsAs('refused'));
});

test('an answer in the name of another provider is refused', async (t) => {
  const setup = await make(t);
  const { response } = await walk(setup);
  assert.equal(response.issuer, setup.server.url);
  await assert.rejects(
    setup.provider.signIn({ ...response, issuer: 'https://evil.example' }),
    failsAs('refused'),
  );
});

test('a provider that was down when it was first asked is asked again', async (t) => {
  const setup = await make(t);
  setup.setState('down');
  await assert.rejects(walk(setup), failsAs('unavailable'));
  setup.setState('up');
  await setup.provider.signIn((await walk(setup)).response);
});

test('access to files: granted alone, renewed, given back', async (t) => {
  const { provider, agree } = await make(t);
  const { storage } = provider;
  assert.ok(storage);
  const request = { redirectUri: REDIRECT_URI, state: 'x'.repeat(43), codeVerifier: 'v'.repeat(43) };
  const url = await storage.authorizationUrl(request);
  assert.equal(new URL(url).searchParams.get('scope'), DRIVE_SCOPE);
  const back = await agree(url, 'mara');
  const tokens = await storage.connect({
    ...request,
    code: back.searchParams.get('code') ?? '',
    issuer: back.searchParams.get('iss'),
  });
  assert.deepEqual(tokens.scopes, [DRIVE_SCOPE]);
  assert.ok(tokens.refreshToken);
  assert.ok(tokens.expiresIn !== null && tokens.expiresIn > 3000);
  const renewed = await storage.refresh(tokens.refreshToken);
  assert.notEqual(renewed.accessToken, tokens.accessToken);
  await storage.revoke(tokens.refreshToken);
  await assert.rejects(storage.refresh(tokens.refreshToken), failsAs('refused'));
  await storage.revoke('never given');
});
