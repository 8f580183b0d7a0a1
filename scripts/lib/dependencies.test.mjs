import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { whyStale } from './dependencies.mjs';

const folder = mkdtempSync(join(tmpdir(), 'canonry-lock-'));
after(() => rmSync(folder, { recursive: true }));

const lock = (name, packages) => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify({ packages }));
  return path;
};
const yaml = { version: '2.0.0', integrity: 'sha512-b' };
const wanted = lock('wanted', { '': {}, 'node_modules/yaml': yaml });

test('exactly the locked packages are fresh', () => {
  assert.equal(whyStale(wanted, lock('same', { 'node_modules/yaml': yaml })), undefined);
});

test('no installation, another version, or another content of a version is stale', () => {
  assert.match(whyStale(wanted, join(folder, 'none')), /none are installed/);
  assert.match(whyStale(wanted, lock('missing', {})), /yaml 2\.0\.0 is missing/);
  for (const change of [{ version: '1.9.0' }, { integrity: 'sha512-a' }]) {
    assert.match(whyStale(wanted, lock('changed', { 'node_modules/yaml': { ...yaml, ...change } })), /yaml/);
  }
});

test('a package for another platform may be missing', () => {
  const optional = lock('optional', { 'node_modules/fsevents': { ...yaml, optional: true } });
  assert.equal(whyStale(optional, lock('empty', {})), undefined);
});
