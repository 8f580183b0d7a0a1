import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ASSET_KINDS,
  ASSET_STATUSES,
  categoriesOf,
  derivedAssetId,
  editSidecar,
  homeOf,
  homeOfSidecar,
  isAssetId,
  isPassive,
  isPublicPath,
  isSidecar,
  kindOf,
  NEXT_STATUSES,
  namedAssets,
  numberedName,
  placesOf,
  readSidecar,
  SIDECAR_NAME,
  SUBFOLDERS,
  safeFileName,
  sanitizeAssetId,
  sidecarPath,
} from './index.ts';

describe('a sidecar', () => {
  it('says what people know, and names what it cannot mean by line', () => {
    const read = readSidecar(`good.png:
  id: a_1
  status: in_review
  ai_generated: false
  description: D
  license: L
  source: S
  category: c
  subcategory: s
  created_at: t
  created_by: ada
  updated_at: u
  tags: [a, b]
  keywords: []
  relationships:
    - { target_type: entity, target_id: "character:ada", relationship_type: shows, own: 1 }
    - { target_type: asset, target_id: x, relationship_type: of }
bad.png:
  id: Not An Id
  status: done
  ai_generated: yes
  description: 5
  tags: [a, 5]
  keywords: word
  relationships: { target_type: person, target_id: x, relationship_type: y }
reserved.png: { id: linked }
none.png:
text.png: approved
empty.png: { license: null, tags: null, relationships: null }
`);
    assert.ok(read.ok);
    const { id, ...said } = read.entries.get('good.png') ?? {};
    assert.equal(id, 'a_1');
    assert.deepEqual(said, {
      status: 'in_review',
      ai_generated: false,
      description: 'D',
      license: 'L',
      source: 'S',
      category: 'c',
      subcategory: 's',
      created_at: 't',
      created_by: 'ada',
      updated_at: 'u',
      tags: ['a', 'b'],
      keywords: [],
      relationships: [
        { target_type: 'entity', target_id: 'character:ada', relationship_type: 'shows' },
        { target_type: 'asset', target_id: 'x', relationship_type: 'of' },
      ],
    });
    assert.deepEqual(read.entries.get('bad.png'), { tags: ['a'] });
    assert.deepEqual(
      read.problems.map(({ key, line, reason }) => `${key}:${line} ${reason}`),
      [
        "bad.png:19 id 'Not An Id' must be lower-case letters, digits and underscores",
        "bad.png:20 status 'done' is not known",
        'bad.png:21 ai_generated must be true or false',
        'bad.png:22 description must be text',
        'bad.png:23 tags must be a list of texts',
        'bad.png:24 keywords must be a list of texts',
        'bad.png:25 each relationship needs target_type, target_id and relationship_type',
        "reserved.png:26 id 'linked' must be lower-case letters, digits and underscores",
        'text.png:28 must be a map, such as {status: approved}',
      ],
    );
    assert.deepEqual(
      [...read.invalidIds],
      [
        ['bad.png', 'Not An Id'],
        ['reserved.png', 'linked'],
      ],
    );
    assert.deepEqual([...read.entries.keys()], ['good.png', 'bad.png', 'reserved.png', 'empty.png']);
    assert.deepEqual(read.entries.get('empty.png'), {});
  });

  it('refuses relationships that lack a part', () => {
    for (const tie of ['5', '{ target_type: entity, target_id: 5, relationship_type: y }', '{}', '[x]']) {
      const read = readSidecar(`a.png: { relationships: ${tie} }\n`);
      assert.ok(read.ok);
      assert.deepEqual([read.problems.length, read.entries.get('a.png')], [1, {}], tie);
    }
    const whole = '{ target_type: entity, target_id: x, relationship_type: y }';
    for (const part of ['target_type', 'target_id', 'relationship_type']) {
      const read = readSidecar(`a.png: { relationships: [${whole}, ${whole.replace(part, 'other')}] }\n`);
      assert.ok(read.ok);
      assert.deepEqual([read.problems.length, read.entries.get('a.png')?.relationships?.length], [1, 1]);
    }
  });

  it('that cannot be read says where', () => {
    const read = readSidecar('a: [\n');
    assert.ok(!read.ok);
    assert.equal(read.problem.line, 2);
  });

  it('changes line by line, begins with a word to people, and goes with its last entry', () => {
    const first = editSidecar('', new Map([['a.png', { status: 'draft', tags: ['x'], license: null }]]));
    assert.equal(
      first,
      '# What is said about the files of this folder. Edit it as you like.\na.png:\n  status: draft\n  tags:\n    - x\n',
    );
    const changed = editSidecar(first, new Map([['a.png', { tags: [], source: 'S' }]]));
    assert.equal(changed, first.replace('  tags:\n    - x\n', '  source: S\n'));
    const nothing = new Map([['a.png', { status: null, source: null }]]);
    assert.equal(editSidecar(changed, nothing), first.slice(0, first.indexOf('a.png')));
    assert.equal(editSidecar('', nothing), '');
    assert.equal(editSidecar('', new Map([['a.png', null]])), '');
    assert.equal(editSidecar('a.png: odd\n', new Map([['a.png', { source: 'S' }]])), 'a.png:\n  source: S\n');
  });
});

describe('ids and names of assets', () => {
  it('follow from the path and its digest', () => {
    const digest = '0123456789abcdef';
    assert.equal(derivedAssetId('a/My Portrait.v2.png', digest), 'my_portrait_v2_0123456789');
    assert.equal(derivedAssetId('a/???.png', digest), 'asset_0123456789');
    assert.equal(derivedAssetId('a/README', digest), 'readme_0123456789');
    assert.equal(derivedAssetId(`${'x'.repeat(39)}_y.png`, digest), `${'x'.repeat(39)}_0123456789`);
  });

  it('are no words of the routes', () => {
    for (const word of ['linked', 'missing', 'duplicates', 'uploaders', 'recycled', 'test']) {
      assert.equal(isAssetId(word), false, word);
      assert.equal(sanitizeAssetId(word), `asset_${word}`);
    }
    assert.equal(sanitizeAssetId('!'), '');
    assert.equal(sanitizeAssetId(`${'a'.repeat(99)} b`), 'a'.repeat(99));
    assert.deepEqual(['a', 'a'.repeat(100), 'a'.repeat(101), '_a', 'A'].map(isAssetId), [
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('are safe on every system, with an extension that is true', () => {
    const cases: [name: string, mediaType: string, safe: string][] = [
      ['a.png', 'image/png', 'a.png'],
      ['a.jpeg', 'image/jpeg', 'a.jpeg'],
      ['a.png', 'image/jpeg', 'a.jpg'],
      ['a', 'image/gif', 'a.gif'],
      ['a.txt', 'image/webp', 'a.webp'],
      ['a.txt', 'image/avif', 'a.avif'],
      ['a.txt', 'image/svg+xml', 'a.svg'],
      ['a.txt', 'audio/mpeg', 'a.mp3'],
      ['a.txt', 'audio/wav', 'a.wav'],
      ['a.txt', 'audio/ogg', 'a.ogg'],
      ['a.txt', 'video/mp4', 'a.mp4'],
      ['a.txt', 'video/webm', 'a.webm'],
      ['a.txt', 'model/gltf-binary', 'a.glb'],
      ['a.txt', 'application/pdf', 'a.pdf'],
      ['a.txt', 'text/html', 'a.html'],
      ['a.blend', 'application/octet-stream', 'a.blend'],
      ['README', 'application/octet-stream', 'README'],
      ['C:\\secret\\..\\a.png', 'image/png', 'a.png'],
      ['../../a.png', 'image/png', 'a.png'],
      ['.hidden', 'application/octet-stream', 'hidden'],
      ['_a. .png', 'image/png', 'a.png'],
      ['a<b>:"|?*.png', 'image/png', 'a_b______.png'],
      ['a\u0007\u200Bb.png', 'image/png', 'a__b.png'],
      ['.png', 'image/png', 'png.png'],
      ['con.png', 'image/png', 'con_.png'],
      ['COM1', 'application/octet-stream', 'COM1_'],
      ['console.png', 'image/png', 'console.png'],
      ['e\u0301.png', 'image/png', '\u00E9.png'],
      [`${'a'.repeat(200)}.png`, 'image/png', `${'a'.repeat(120)}.png`],
      [`${'é'.repeat(200)}.png`, 'image/png', `${'é'.repeat(60)}.png`],
    ];
    for (const [name, mediaType, safe] of cases) assert.equal(safeFileName(name, mediaType), safe, name);
  });

  it('get a number where one is taken', () => {
    assert.deepEqual(
      [numberedName('a.b.png', 1), numberedName('a.b.png', 2), numberedName('README', 3)],
      ['a.b.png', 'a.b_2.png', 'README_3'],
    );
  });
});

describe('where assets lie and belong', () => {
  it('sidecars lie in the folder that they describe', () => {
    assert.equal(SIDECAR_NAME, '_assets.yaml');
    assert.deepEqual([sidecarPath(''), sidecarPath('a/b')], ['_assets.yaml', 'a/b/_assets.yaml']);
    assert.deepEqual([homeOfSidecar('_assets.yaml'), homeOfSidecar('a/b/_assets.yaml')], ['', 'a/b']);
    assert.deepEqual(['_assets.yaml', 'a/_assets.yaml', 'a/x_assets.yaml'].map(isSidecar), [
      true,
      true,
      false,
    ]);
    const place = (path: string, entity_id: string | null) => ({ path, entity_type: entity_id, entity_id });
    assert.equal(homeOf(place('Characters/ada', 'ada')), 'Characters/ada');
    assert.deepEqual(categoriesOf(place('Characters/ada/a.png', 'ada')), {
      category: null,
      subcategory: null,
    });
    assert.deepEqual(categoriesOf(place('covers/b.png', null)), { category: 'covers', subcategory: null });
    assert.deepEqual(categoriesOf(place('Assets/a/b/c/d.png', null)), { category: 'a', subcategory: 'b/c' });
    assert.equal(isPublicPath('a/b.png'), true);
  });

  it('have a kind with a folder, and are shown only where nothing of theirs can run', () => {
    for (const [type, kind] of [
      ['image/png', 'image'],
      ['audio/ogg', 'audio'],
      ['video/mp4', 'video'],
      ['model/gltf-binary', 'model'],
      ['application/vnd.autodesk.fbx', 'model'],
      ['application/json', 'data'],
      ['application/xml', 'data'],
      ['text/csv', 'data'],
      ['application/yaml', 'workflow'],
      ['application/pdf', 'document'],
      ['text/plain', 'document'],
      ['application/zip', 'other'],
    ] as const)
      assert.equal(kindOf(type), kind, type);
    assert.deepEqual(
      ASSET_KINDS.map((kind) => `${kind}: ${SUBFOLDERS[kind]}`),
      [
        'image: images',
        'audio: audio',
        'video: video',
        'model: models',
        'data: data',
        'workflow: comfy_workflows',
        'document: data',
        'other: data',
      ],
    );
    for (const type of [
      'image/webp',
      'audio/mpeg',
      'video/webm',
      'text/plain',
      'text/csv',
      'application/json',
    ])
      assert.equal(isPassive(type), true, type);
  });

  it('may go from one status to these', () => {
    assert.deepEqual(
      ASSET_STATUSES.map((status) => `${status}: ${NEXT_STATUSES[status].join(' ')}`),
      [
        'draft: in_review archived',
        'in_review: draft approved rejected archived',
        'approved: in_review archived',
        'rejected: draft archived',
        'archived: draft',
      ],
    );
  });

  it('are named by paths, not by texts or addresses', () => {
    const long = `${'a'.repeat(496)}.png`;
    const named = (value: unknown) => namedAssets(value).map(({ field }) => field);
    assert.deepEqual(named({ a: long, b: `a${long}`, c: ['x.glb'], d: { e: 'x.mp4' }, f: 'x.pdf', g: 'x' }), [
      'a',
      'c.0',
      'd.e',
    ]);
    assert.deepEqual(named(['data:image/png', 'ftp://x/a.png', 'a\\b.png', 'a\0.png', null, 5]), []);
    assert.deepEqual(namedAssets('a.png'), [{ field: '', value: 'a.png' }]);
    assert.deepEqual(placesOf('/images/a.png', 'C/ada'), ['C/ada/images/a.png', 'images/a.png']);
    for (const path of ['a/./b.png', 'a//b.png', '../b.png', '..'])
      assert.deepEqual(placesOf(path, 'C/ada'), []);
  });
});
