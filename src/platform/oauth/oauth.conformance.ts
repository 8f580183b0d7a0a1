import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { OAuthError, type OAuthProfile, type OAuthProvider } from './oauth.ts';

export interface TestOAuth {
  /** Configured to wait one second for a reply. */
  provider: OAuthProvider;
  /** The registered redirect address. */
  redirectUri: string;
  /** Signs in and consents on the provider's pages; resolves to the address of the redirect back. */
  agree(url: string, login: 'mara' | 'unverified'): Promise<URL>;
  setState(state: 'up' | 'down' | 'frozen'): void;
}

/** An account that the fake providers know; `unverified` differs in its unverified address. */
const MARA: Omit<OAuthProfile, 'subject'> = {
  email: 'mara@example.com',
  emailVerified: true,
  name: 'Mara',
  picture: 'https://pictures.example/mara.jpg',
};

const random = () => randomBytes(32).toString('base64url');

export const failsAs = (code: OAuthError['code']) => (error: unknown) => {
  assert.ok(error instanceof OAuthError, String(error));
  assert.equal(error.code, code);
  return true;
};

/** Returns the input for the adapter's calls. */
export async function walk(
  { provider, redirectUri, agree }: TestOAuth,
  login: 'mara' | 'unverified' = 'mara',
) {
  const request = { redirectUri, state: random(), codeVerifier: random(), nonce: random() };
  const url = await provider.authorizationUrl(request);
  const back = await agree(url, login);
  const response = {
    ...request,
    code: back.searchParams.get('code') ?? '',
    issuer: back.searchParams.get('iss'),
  };
  return { request, url: new URL(url), back, response };
}

/** Over real sockets. */
export function oauthConformance(name: string, make: (t: TestContext) => Promise<TestOAuth>): void {
  describe(`oauth: ${name}`, () => {
    it('asks with state and PKCE, and learns who came', async (t) => {
      const setup = await make(t);
      const { request, url, back, response } = await walk(setup);
      assert.equal(url.searchParams.get('code_challenge_method'), 'S256');
      assert.ok(!url.href.includes(request.codeVerifier));
      assert.equal(back.searchParams.get('state'), request.state);
      const { subject, ...profile } = await setup.provider.signIn(response);
      assert.deepEqual(profile, MARA);
      const again = await setup.provider.signIn((await walk(setup)).response);
      assert.equal(again.subject, subject);
    });

    it('says when nobody checked the address', async (t) => {
      const setup = await make(t);
      const { response } = await walk(setup, 'unverified');
      const profile = await setup.provider.signIn(response);
      assert.equal(profile.emailVerified, false);
    });

    it('refuses a code that is used, made up, or comes with another verifier or address', async (t) => {
      const setup = await make(t);
      const { signIn } = setup.provider;
      const { response } = await walk(setup);
      await signIn(response);
      await assert.rejects(signIn(response), failsAs('refused'));
      await assert.rejects(signIn({ ...response, code: 'made-up' }), failsAs('refused'));
      const other = (await walk(setup)).response;
      await assert.rejects(signIn({ ...other, codeVerifier: random() }), failsAs('refused'));
      const third = (await walk(setup)).response;
      await assert.rejects(signIn({ ...third, redirectUri: 'https://evil.example/' }), failsAs('refused'));
    });

    it('tells a provider that is down or frozen from one that refuses, and heals', async (t) => {
      const setup = await make(t);
      for (const state of ['down', 'frozen'] as const) {
        const { response } = await walk(setup);
        setup.setState(state);
        await assert.rejects(setup.provider.signIn(response), failsAs('unavailable'));
        setup.setState('up');
      }
      await setup.provider.signIn((await walk(setup)).response);
    });
  });
}
