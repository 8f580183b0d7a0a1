import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../test/support/properties.ts';
import {
  categoriesOf,
  derivedAssetId,
  type EntryChange,
  editSidecar,
  homeOf,
  isAssetId,
  isPassive,
  isPublicPath,
  keyInHome,
  kindOf,
  mediaTypeOf,
  namedAssets,
  pathInHome,
  placesOf,
  readSidecar,
  sanitizeAssetId,
  similarGroups,
} from './index.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

test('what a file is follows from its bytes; its name settles only what they leave open', () => {
  const cases: [string, Uint8Array, string][] = [
    ['a.txt', bytes('\x89PNG\r\n\x1a\n....'), 'image/png'],
    ['a.png', bytes('\xff\xd8\xff\xe0'), 'image/jpeg'],
    ['a', bytes('GIF89a'), 'image/gif'],
    ['a.bin', bytes('RIFF\0\0\0\0WEBPVP8 '), 'image/webp'],
    ['a.bin', bytes('RIFF\0\0\0\0WAVEfmt '), 'audio/wav'],
    ['a.bin', bytes('\0\0\0\x1cftypavif'), 'image/avif'],
    ['a.bin', bytes('\0\0\0\x1cftypisom'), 'video/mp4'],
    ['a.bin', bytes('\x1aE\xdf\xa3\x9fB\x86\x81\x01webm'), 'video/webm'],
    ['a.bin', bytes('OggS\0\x02'), 'audio/ogg'],
    ['a.bin', bytes('ID3\x03\0'), 'audio/mpeg'],
    ['a.bin', bytes('\xff\xfb\x90\0'), 'audio/mpeg'],
    ['a.bin', bytes('\xff\xf1\x50\x80'), 'audio/aac'],
    ['a.bin', bytes('\xff\xf1\xff\x80'), 'application/octet-stream'],
    ['a.bin', bytes('FORM\0\0\0\0AIFFCOMM'), 'audio/aiff'],
    ['a.bin', bytes('FORM\0\0\0\0ILBMBMHD'), 'application/octet-stream'],
    ['a.bin', bytes('glTF\x02\0\0\0'), 'model/gltf-binary'],
    ['a.fbx', bytes('Kaydara FBX Binary  \0'), 'application/vnd.autodesk.fbx'],
    ['a.png', bytes('%PDF-1.7'), 'application/pdf'],
    ['a.png', bytes('<svg onload="x"/>'), 'image/svg+xml'],
    ['a.csv', bytes('<?xml version="1.0"?><svg/>'), 'image/svg+xml'],
    ['a.json', bytes('  <!DOCTYPE html><p>'), 'text/html'],
    ['a.svg', bytes('no drawing'), 'application/xml'],
    ['a.csv', bytes('a,b\n'), 'text/csv'],
    ['a.json', bytes('{}'), 'application/json'],
    ['a.gltf', bytes('{"asset":{}}'), 'model/gltf+json'],
    ['a.yaml', bytes('nodes: []'), 'application/yaml'],
    ['a.png', bytes('just text'), 'text/plain'],
    ['a.txt', bytes('BM is no bitmap'), 'text/plain'],
    ['a.txt', Buffer.from('ä'.repeat(9)).subarray(0, 17), 'text/plain'],
    ['a.txt', bytes('\0\x01\x02'), 'application/octet-stream'],
    ['a.png', bytes('\xff\xfe\xfd\xfc'), 'application/octet-stream'],
    ['empty.csv', bytes(''), 'text/csv'],
  ];
  for (const [name, head, expected] of cases)
    assert.equal(mediaTypeOf(head, name), expected, `${name} ${Buffer.from(head).toString('latin1')}`);
  assert.deepEqual(
    ['image/png', 'video/mp4', 'model/gltf+json', 'text/csv', 'application/yaml', 'a/b'].map(kindOf),
    ['image', 'video', 'model', 'data', 'workflow', 'other'],
  );
  for (const type of ['image/svg+xml', 'text/html', 'application/xml', 'application/pdf', 'text/javascript'])
    assert.equal(isPassive(type), false, type);
});

test('no bytes and no name make anything but a media type', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.string(), (head, name) => {
      assert.match(mediaTypeOf(head, name), /^[a-z]+\/[a-z0-9.+-]+$/);
    }),
  );
});

test('ids: those that follow from a path are valid, and so is what is made of an invalid one', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      assert.ok(isAssetId(derivedAssetId(`a/${text}.png`, '0123456789abcdef')));
      const id = sanitizeAssetId(text);
      assert.ok(id === '' || isAssetId(id), id);
      assert.equal(sanitizeAssetId(id), id);
    }),
  );
  assert.equal(sanitizeAssetId('My Portrait!'), 'my_portrait');
  assert.equal(sanitizeAssetId('Linked'), 'asset_linked');
});

test('homes, keys and categories follow from folders', () => {
  const inEntity = { path: 'Characters/ada/images/old/a.png', entity_type: 'character', entity_id: 'ada' };
  assert.equal(homeOf(inEntity), 'Characters/ada');
  assert.deepEqual(categoriesOf(inEntity), { category: 'images', subcategory: 'old' });
  const loose = { path: 'Assets/covers/2026/b.png', entity_type: null, entity_id: null };
  assert.equal(homeOf(loose), 'Assets/covers/2026');
  assert.deepEqual(categoriesOf(loose), { category: 'covers', subcategory: '2026' });
  const atRoot = { path: 'c.png', entity_type: null, entity_id: null };
  assert.deepEqual([homeOf(atRoot), categoriesOf(atRoot).category], ['', null]);
  for (const place of [inEntity, loose, atRoot])
    assert.equal(pathInHome(homeOf(place), keyInHome(homeOf(place), place.path)), place.path);
  for (const path of ['a/.b', '.a/b', '_a/b', 'a/_b.png', 'a/b.md', 'a//b', '', 'a/../b'])
    assert.equal(isPublicPath(path), false, path);
});

test('a sidecar holds whatever was said, and loses nothing else that stands there', () => {
  const text = fc.string().map((each) => each.toWellFormed().replaceAll(/\p{Cc}/gu, ' '));
  const entry = fc.record(
    { description: text, license: text, tags: fc.array(text, { minLength: 1, maxLength: 3 }) },
    { requiredKeys: ['tags'] },
  );
  const key = fc.stringMatching(/^[a-zA-Z0-9 _.#:'-]{1,12}\/[a-z ]{1,8}\.png$/);
  fc.assert(
    fc.property(fc.dictionary(key, entry, { minKeys: 1, maxKeys: 4 }), entry, (first, second) => {
      const changes = new Map<string, EntryChange>(Object.entries(first));
      const written = editSidecar('', changes);
      const kept = `# mine\nother/file.png:\n  status: approved   # yes\n${written}`;
      const [one = ''] = Object.keys(first);
      const edited = editSidecar(kept, new Map([[one, second]]));
      assert.ok(edited.startsWith('# mine\nother/file.png:\n  status: approved   # yes\n'));
      const read = readSidecar(edited);
      assert.ok(read.ok);
      assert.deepEqual(read.problems, []);
      for (const [name, said] of Object.entries(first))
        assert.deepEqual({ ...read.entries.get(name) }, { ...said, ...(name === one && second) });
      const without = readSidecar(editSidecar(edited, new Map([[one, null]])));
      assert.ok(without.ok && !without.entries.has(one) && without.entries.size === read.entries.size - 1);
    }),
    { numRuns: 50 },
  );
});

test('files that an entity names', () => {
  const fields = { portrait: 'images/a.png', list: [{ theme: 'audio/b.mp3' }], text: 'see a.png\nnow', n: 1 };
  assert.deepEqual(namedAssets(fields), [
    { field: 'portrait', value: 'images/a.png' },
    { field: 'list.0.theme', value: 'audio/b.mp3' },
  ]);
  assert.deepEqual(namedAssets('https://example.org/a.png'), []);
  assert.deepEqual(placesOf('./images/a.png', 'Characters/ada'), [
    'Characters/ada/images/a.png',
    'images/a.png',
  ]);
  assert.deepEqual(placesOf('../a.png', 'Characters/ada'), []);
});

test('pictures that look alike are found, and only those', async () => {
  const hash = fc.stringMatching(/^[0-9a-f]{16}$/);
  const near = fc.tuple(hash, fc.array(fc.nat(63), { maxLength: 6 })).map(([hex, bits]) => {
    const changed = bits.reduce((value, bit) => value ^ (1n << BigInt(bit)), BigInt(`0x${hex}`));
    return [hex, changed.toString(16).padStart(16, '0')];
  });
  const bitsOf = (one: string, other: string) =>
    (BigInt(`0x${one}`) ^ BigInt(`0x${other}`)).toString(2).replaceAll('0', '').length;
  await fc.assert(
    fc.asyncProperty(fc.array(near, { maxLength: 6 }), fc.nat(10), async (pairs, distance) => {
      const all = [...new Set(pairs.flat())];
      const groups = await similarGroups(all, distance, () => {});
      const groupOf = (each: string) => groups.findIndex((group) => group.includes(each));
      for (const one of all)
        for (const other of all)
          if (one !== other && bitsOf(one, other) <= distance) {
            assert.ok(groupOf(one) >= 0);
            assert.equal(groupOf(one), groupOf(other));
          }
      for (const group of groups)
        for (const one of group)
          assert.ok(group.some((other) => one !== other && bitsOf(one, other) <= distance));
    }),
  );
});
