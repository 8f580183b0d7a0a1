import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isSignedBy } from '../src/kit/ed25519.ts';
import { entryFor } from './support/catalog.ts';
import { cliWorld } from './support/cli.ts';
import { pluginZip } from './support/plugins.ts';

const CATALOG = ['plugin', 'catalog'];

test('plugin catalog keys makes a key once, and shows its public half again', async (t) => {
  const { run, folder } = cliWorld(t);
  const first = await run(...CATALOG, 'keys', 'key.pem');
  assert.equal(first.code, 0, first.err);
  const shown = /^PLUGIN_CATALOG_KEY=(\S+)$/m.exec(first.out)?.[1] ?? '';
  assert.equal(Buffer.from(shown, 'base64').length, 32);
  assert.equal(statSync(join(folder, 'key.pem')).mode & 0o777, 0o600);
  const again = (await run(...CATALOG, 'keys', 'key.pem', '--json')).json();
  assert.deepEqual(again, { file: join(folder, 'key.pem'), new: false, public_key: shown });
  writeFileSync(join(folder, 'other.pem'), 'no key');
  const refused = await run(...CATALOG, 'keys', 'other.pem');
  assert.equal(refused.code, 2);
  assert.match(refused.err, /no private Ed25519 key/);
  assert.equal(readFileSync(join(folder, 'other.pem'), 'utf8'), 'no key');
});

test('plugin catalog sign signs an index that can be used, with the archives beside it', async (t) => {
  const { run, folder } = cliWorld(t);
  const archive = pluginZip();
  const put = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content);
  const publish = (...items: object[]) =>
    put('catalog.json', JSON.stringify({ format: 1, sequence: 4, items }, null, 2));
  const sign = (...more: string[]) => run(...CATALOG, 'sign', 'catalog.json', '--key', 'key.pem', ...more);
  const { public_key: key } = (await run(...CATALOG, 'keys', 'key.pem', '--json')).json<{
    public_key: string;
  }>();
  const away = { id: 'away', url: 'https://files.example.com/away.zip' };
  publish(entryFor(archive), entryFor(archive, away));
  const refused = async (words: RegExp) => {
    const { code, err } = await sign();
    assert.equal(code, 2);
    assert.match(err, words);
    assert.ok(!existsSync(join(folder, 'catalog.json.sig')));
  };
  await refused(/archive of word-count cannot be read/);
  put('word-count.zip', 'other bytes');
  await refused(/has 11 bytes: write "size": 11/);
  put('word-count.zip', Buffer.alloc(archive.length));
  await refused(/another hash: write "sha256": "[0-9a-f]{64}"/);
  put('word-count.zip', archive);
  publish(entryFor(archive, { version: 'new' }));
  await refused(/items\.0\.version is 'new'/);
  publish(entryFor(archive), entryFor(archive, away));
  const signed = (await sign('--json')).json();
  assert.deepEqual(signed, {
    signature: join(folder, 'catalog.json.sig'),
    sequence: 4,
    items: 2,
    public_key: key,
  });
  const signature = Buffer.from(readFileSync(join(folder, 'catalog.json.sig'), 'utf8'), 'base64');
  assert.ok(isSignedBy(Buffer.from(key, 'base64'), readFileSync(join(folder, 'catalog.json')), signature));
  assert.match((await sign()).out, /Signed 2 plugins as sequence 4/);
  assert.equal((await run(...CATALOG, 'sign', 'catalog.json')).code, 2, 'without a key');
});
