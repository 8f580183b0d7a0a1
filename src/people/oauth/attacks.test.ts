import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBrowser, type Page } from '../../../test/support/oauth/browser.ts';
import { APP, startOAuthService } from '../../../test/support/oauth/service.ts';

const isRefused = (page: Page, what: string) => {
  assert.equal(page.status, 400, what);
  assert.match(page.text, /<small>invalid_state<\/small>/, what);
};

test('a state is good once, under any parallelism', async (t) => {
  const service = await startOAuthService(t);
  const back = await service.agree('/api/auth/oauth/google', 'mara');
  const pages = await Promise.all(Array.from({ length: 20 }, () => service.browser.open(back)));
  const [arrived, refused] = [
    pages.filter(({ status }) => status !== 400),
    pages.filter(({ status }) => status === 400),
  ];
  assert.equal(arrived.length, 1);
  assert.equal(arrived[0]?.url.searchParams.get('error'), null);
  for (const page of refused) isRefused(page, 'replayed');
  isRefused(await service.browser.open(back), 'replayed later');
});

test('a state counts only where it was made for', async (t) => {
  const service = await startOAuthService(t);
  const agreed = (start = '/api/auth/oauth/google') => service.agree(start, 'mara');
  const moved = (url: URL, pathname: string) => Object.assign(new URL(url), { pathname });
  const wrong = await agreed();
  wrong.searchParams.set('state', 'x'.repeat(43));
  isRefused(await service.browser.open(wrong), 'a made-up state');
  wrong.searchParams.delete('state');
  isRefused(await service.browser.open(wrong), 'no state');
  isRefused(await createBrowser().open(await agreed()), 'the browser of somebody else');
  isRefused(
    await service.browser.open(moved(await agreed(), '/api/auth/oauth/github/callback')),
    "another provider's",
  );
  isRefused(
    await service.browser.open(
      moved(await agreed('/api/auth/mobile/google-initiate'), '/api/auth/oauth/google/callback'),
    ),
    'a state of the mobile flow',
  );
});

test("a victim's browser is not signed in to an attacker's account", async (t) => {
  const service = await startOAuthService(t);
  const attacker = createBrowser();
  const victim = createBrowser();
  const back = await service.agree('/api/auth/oauth/google', 'mara', { browser: attacker });
  await victim.open(`${service.url}/api/auth/oauth/google`, {
    stopAt: ({ origin }) => origin !== service.url,
  });
  isRefused(await victim.open(back), 'forced sign-in');
  assert.ok(!victim.cookies('127.0.0.1').some((cookie) => cookie.startsWith('canonry_access')));
});

test("one's own code does not pass for another's: the verifier and the nonce do not fit", async (t) => {
  const service = await startOAuthService(t);
  for (const provider of ['google', 'github']) {
    const stolen = await service.agree(`/api/auth/oauth/${provider}`, 'mara');
    const browser = createBrowser();
    const own = await service.agree(`/api/auth/oauth/${provider}`, 'mara', { browser });
    own.searchParams.set('code', stolen.searchParams.get('code') ?? '');
    const page = await browser.open(own);
    assert.equal(page.url.searchParams.get('error'), 'provider_refused');
  }
});

test('sign-ins lead to allowed addresses alone', async (t) => {
  const service = await startOAuthService(t);
  const challenge = 'c'.repeat(43);
  const tries = [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    'https:evil.example',
    `${service.url}@evil.example/`,
    `${service.url}.evil.example/`,
    service.url.replace('://', '://evil:pw@'),
    'javascript:alert(1)',
    'data:text/html,x',
    'https://studio.example/other',
    'https://studio.example/signed-in/../other',
    'https://studio.example/signed-in?next=evil',
    'http://studio.example/signed-in',
    `${APP}/other`,
    'canonry://other',
    ' \thttps://evil.example',
  ];
  for (const path of ['/api/auth/oauth/google', '/api/auth/mobile/google-initiate']) {
    for (const address of tries) {
      const query = new URLSearchParams({ return_to: address, code_challenge: challenge });
      const reply = await service.call('GET', `${path}?${query}`);
      assert.equal(reply.status, 422, address);
      assert.equal(reply.body.code, 'invalid_return_to', address);
    }
  }
});

test('pages of failures tell nothing and run nothing', async (t) => {
  const service = await startOAuthService(t);
  const reply = await fetch(`${service.url}/api/auth/oauth/google/callback?state=<script>&code=x`);
  assert.equal(reply.status, 400);
  assert.match(reply.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  assert.equal(reply.headers.get('cache-control'), 'no-store');
  assert.ok(!(await reply.text()).includes('script>'));
});

test('nobody fills the store with sign-ins that they begin', async (t) => {
  const service = await startOAuthService(t, { env: { RATE_LIMIT_LOGIN: '3' } });
  const statuses: number[] = [];
  for (const path of ['oauth/google', 'mobile/google-initiate', 'oauth/github', 'oauth/google'])
    statuses.push((await service.call('GET', `/api/auth/${path}`)).status);
  assert.deepEqual(statuses, [302, 302, 302, 429]);
});

test('a program that asks for JSON is told of a failure in JSON', async (t) => {
  const service = await startOAuthService(t);
  for (const path of ['/api/auth/oauth/google/callback', '/api/auth/storage-oauth/google/callback']) {
    const headers = { accept: 'application/json' };
    const reply = await fetch(`${service.url}${path}?state=unknown&code=x`, { headers });
    const { detail, code } = (await reply.json()) as Record<string, unknown>;
    assert.deepEqual([reply.status, code, typeof detail], [400, 'invalid_state', 'string'], path);
  }
});
