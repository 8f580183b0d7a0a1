import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLoopback } from '../loopback.ts';
import { createLocalGuard } from './local-guard.ts';

const guard = createLocalGuard(['https://studio.example.com']);
const statusOf = (headers: Record<string, string>) => guard({ headers })?.status ?? 200;

test('only names of this machine are answered', () => {
  for (const host of [
    'localhost',
    'localhost:8000',
    'LOCALHOST:8000',
    '127.0.0.1:8000',
    '[::1]:8000',
    '[::1]',
    '127.0.0.2:8000',
  ])
    assert.equal(statusOf({ host }), 200, host);
  for (const host of [
    '',
    'evil.example',
    'evil.example:8000',
    'localhost.evil.example:8000',
    '127.0.0.1.nip.io:8000',
    'localhost.:8000',
    'localhost:8000@evil.example',
    'localhost:',
    'evil-localhost:8000',
    '0.0.0.0:8000',
    '[::]:8000',
    '::1',
    '127.0.0.1:8000, evil.example',
    '2130706433:8000',
    '[127.0.0.1.evil.example]:8000',
    '[::ffff:10.0.0.1]:8000',
    '127.0.0.1:8000:9000',
    ' localhost',
  ])
    assert.equal(statusOf({ host }), 403, host);
  assert.equal(statusOf({}), 403);
});

test('pages of other origins are refused, those of this address and of the settings are not', () => {
  const host = 'localhost:8000';
  for (const origin of ['http://localhost:8000', 'https://studio.example.com'])
    assert.equal(statusOf({ host, origin }), 200, origin);
  for (const origin of [
    'null',
    '',
    'https://evil.example',
    'http://localhost:3000',
    'http://localhost',
    'https://localhost:8000',
    'http://127.0.0.1:8000',
    'http://localhost:8000.evil.example',
    'http://localhost:8000/',
    'file://',
  ])
    assert.equal(statusOf({ host, origin }), 403, origin);
  assert.equal(statusOf({ host: '[::1]:8000', origin: 'http://[::1]:8000' }), 200);
});

test('what another site embeds is refused, a link to follow is not', () => {
  const host = 'localhost:8000';
  for (const site of ['cross-site', 'same-site']) {
    assert.equal(statusOf({ host, 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors' }), 403, site);
    assert.equal(statusOf({ host, 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' }), 200, site);
    for (const [dest, status] of [
      ['document', 200],
      ['iframe', 403],
      ['object', 403],
    ] as const) {
      const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': dest };
      assert.equal(statusOf({ host, ...headers }), status, dest);
    }
  }
  for (const site of ['same-origin', 'none'])
    assert.equal(statusOf({ host, 'sec-fetch-site': site, 'sec-fetch-mode': 'cors' }), 200, site);
});

test('nobody forces anything by a link that they follow from another site', () => {
  const follow = (site: string, url: string) => {
    const headers = { host: 'localhost:8000', 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' };
    return guard({ headers: { ...headers, 'sec-fetch-dest': 'document' }, url })?.status ?? 200;
  };
  const pull = '/api/cloud-sync/pull';
  for (const site of ['cross-site', 'same-site']) {
    for (const query of ['?force=true', '?a=1&force=true', '?%66orce=true'])
      assert.equal(follow(site, pull + query), 403, query);
    assert.equal(follow(site, '/api/search?q=force'), 200);
  }
  for (const site of ['same-origin', 'none']) assert.equal(follow(site, `${pull}?force=true`), 200, site);
});

test('loopback hosts are known in each form', () => {
  for (const host of ['127.0.0.1', '127.1.2.3', '::1', '0:0:0:0:0:0:0:1', 'localhost', 'LOCALHOST'])
    assert.ok(isLoopback(host), host);
  for (const host of ['0.0.0.0', '::', '192.168.1.2', '10.0.0.1', 'example.com', 'localhost.example.com', ''])
    assert.ok(!isLoopback(host), host);
});
