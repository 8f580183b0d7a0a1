import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReturnUrls, withParameter } from './return-urls.ts';

const urls = createReturnUrls('https://accounts.example', ['https://studio.example/in', 'canonry://in']);

test('pages of the service may be named by path or whole, in any spelling', () => {
  for (const [text, expected] of [
    [undefined, 'https://accounts.example/'],
    ['/studio/?a=1#b', 'https://accounts.example/studio/?a=1#b'],
    ['studio', 'https://accounts.example/studio'],
    ['https://ACCOUNTS.example:443/x', 'https://accounts.example/x'],
    ['canonry://in', 'canonry://in'],
    ['https://studio.example/in', 'https://studio.example/in'],
  ] as const)
    assert.equal(urls.checked(text), expected);
});

test('what only looks like an allowed address is refused', () => {
  for (const text of [
    'https://accounts.example.evil.example/',
    'https://accounts.example@evil.example/',
    'https://user@accounts.example/',
    'http://accounts.example/',
    'https://accounts.example:8443/',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://studio.example/in/',
    'https://studio.example/in#x',
    'canonry://in/x',
    'canonry:in',
    'blob:https://accounts.example/x',
  ])
    assert.throws(() => urls.checked(text), /return_to/, text);
});

test('an app is the first address that is none of the web', () => {
  assert.equal(urls.checkedForApp(undefined), 'canonry://in');
  const none = createReturnUrls('https://accounts.example', ['https://studio.example/in']);
  assert.throws(() => none.checkedForApp(undefined), /OAUTH_RETURN_URLS/);
});

test('parameters are added, not written over text', () => {
  assert.equal(withParameter('canonry://in', 'code', 'a&b'), 'canonry://in?code=a%26b');
  assert.equal(withParameter('https://a.example/?x=1#h', 'error', 'e'), 'https://a.example/?x=1&error=e#h');
});
