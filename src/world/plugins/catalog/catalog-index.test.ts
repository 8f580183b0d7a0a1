import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entryFor } from '../../../../test/support/catalog.ts';
import { LARGEST_INDEX, readCatalogIndex } from './catalog-index.ts';

const ARCHIVE = Buffer.from('an archive');
const entry = (more: object = {}) => entryFor(ARCHIVE, more);
const indexOf = (items: readonly unknown[], more: object = {}) =>
  Buffer.from(JSON.stringify({ format: 1, sequence: 3, items, ...more }));

const refused = (bytes: Uint8Array, words: RegExp, code = 'catalog_invalid') =>
  assert.throws(
    () => readCatalogIndex(bytes),
    (error: Error & { code: string }) => {
      assert.equal(error.code, code);
      assert.match(error.message, words);
      return true;
    },
  );

test('an index has its entries by id, in the order of the file', () => {
  const full = entry({
    id: 'second',
    source: 'official',
    permissions: ['entities:write', 'http:hooks.example.com'],
    homepage: 'https://example.com/second',
    icon: '📏',
    url: 'https://files.example.com/second.tar.gz?v=2',
    min_canonry: '0.1.0',
    description: 'One line.\nAnother.',
  });
  const { sequence, entries } = readCatalogIndex(indexOf([entry(), full]));
  assert.equal(sequence, 3);
  assert.deepEqual([...entries.keys()], ['word-count', 'second']);
  assert.deepEqual(entries.get('second'), full);
});

test('what is no index of this format is refused as a whole', () => {
  refused(Buffer.from('{"format": 1'), /no JSON/);
  refused(Buffer.from([0x7b, 0xff, 0x7d]), /UTF-8/);
  refused(Buffer.from('null'), /object/);
  refused(indexOf([], { format: 2 }), /format 2.*update Canonry/);
  refused(indexOf([], { format: 0 }), /format/);
  refused(indexOf([], { sequence: 0 }), /sequence/);
  refused(indexOf([], { sequence: 1.5 }), /sequence/);
  refused(indexOf([], { sequence: undefined }), /sequence is required/);
  refused(indexOf([], { valid_until: '2027' }), /valid_until is not known here/);
  refused(Buffer.from(`${' '.repeat(LARGEST_INDEX)}{}`), /more than/, 'catalog_too_large');
});

const FAULTS: [more: object, words: RegExp][] = [
  [{ id: 'Word Count' }, /items\.1\.id is 'Word Count'/],
  [{ id: 'upload' }, /items\.1\.id/],
  [{ kind: 'skills' }, /items\.1\.kind must be one of plugins/],
  [{ source: 'somebody' }, /items\.1\.source must be one of official, community/],
  [{ name: ' ' }, /items\.1\.name/],
  [{ name: 'word\u202etnuoc' }, /items\.1\.name must be a text of one line/],
  [{ author: 'Mira\nVoss' }, /items\.1\.author/],
  [{ description: 'a\u0000b' }, /items\.1\.description/],
  [{ license: undefined }, /items\.1\.license is required/],
  [{ version: '1.0' }, /items\.1\.version is '1\.0'/],
  [{ min_canonry: 'new' }, /items\.1\.min_canonry is 'new'/],
  [{ trust_tier: 'Very High' }, /items\.1\.trust_tier/],
  [{ permissions: ['read_entities'] }, /normal form 'entities:read'/],
  [{ permissions: ['fly'] }, /items\.1\.permissions has 'fly', which is no permission/],
  [{ permissions: ['kv', 'kv'] }, /'kv' twice/],
  [{ size: 0 }, /items\.1\.size/],
  [{ size: 50 * 1024 * 1024 + 1 }, /items\.1\.size/],
  [{ sha256: 'A'.repeat(64) }, /items\.1\.sha256 must be 64/],
  [{ url: '../other.zip' }, /items\.1\.url/],
  [{ url: '/etc/passwd' }, /items\.1\.url/],
  [{ url: 'http://files.example.com/a.zip' }, /items\.1\.url/],
  [{ url: 'file:///etc/passwd' }, /items\.1\.url/],
  [{ url: 'https://user:secret@files.example.com/a.zip' }, /items\.1\.url/],
  [{ homepage: 'javascript:alert(1)' }, /items\.1\.homepage/],
  [{ icon: 'icons/a.svg' }, /items\.1\.icon/],
  [{ constructor: 'x' }, /constructor is not known here/],
  [{ id: 'first' }, /items\.1\.id is 'first', which an earlier item has too/],
];

test('one entry with a fault refuses the index, and the fault is named with its place', () => {
  for (const [more, words] of FAULTS) refused(indexOf([entry({ id: 'first' }), entry(more)]), words);
});
