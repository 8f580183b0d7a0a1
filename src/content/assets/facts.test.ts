import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  GLB_HEAD_BYTES,
  glbJsonLength,
  mediaTypeOf,
  oggPackets,
  readGltfFacts,
  readWavHead,
} from './index.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

describe('the facts of a glTF', () => {
  it('count what it holds, around all meshes', () => {
    const gltf = {
      asset: { version: '2.0', generator: 'x'.repeat(300) },
      nodes: [{}, {}],
      materials: [{}],
      textures: [{}, {}, {}],
      animations: [{}],
      meshes: [
        { primitives: [{ attributes: { POSITION: 0 } }, { attributes: { POSITION: 1 } }] },
        { primitives: [{ attributes: { NORMAL: 0 } }, {}] },
        {},
      ],
      accessors: [
        { count: 3, min: [0, -2, 1], max: [1, 1, 1] },
        { count: 4, min: [-1, 0, 2], max: [0, 5, 3] },
        { count: 100, min: [-9, -9, -9], max: [9, 9, 9] },
      ],
    };
    assert.deepEqual(readGltfFacts(JSON.stringify(gltf)), {
      version: '2.0',
      generator: 'x'.repeat(200),
      meshes: 3,
      materials: 1,
      textures: 3,
      animations: 1,
      nodes: 2,
      vertices: 7,
      bounds: { min: [-1, -2, 1], max: [1, 5, 3] },
    });
  });

  it('are none where it says nothing, or something else', () => {
    const nothing = {
      version: null,
      generator: null,
      meshes: 0,
      materials: 0,
      textures: 0,
      animations: 0,
      nodes: 0,
      vertices: 0,
      bounds: null,
    };
    for (const text of [
      '{}',
      '[]',
      '{"asset":5,"meshes":{},"nodes":7}',
      '{"asset":{"version":2,"generator":null}}',
    ])
      assert.deepEqual(readGltfFacts(text), nothing);
    for (const text of ['', 'null', '5', '"x"', '{']) assert.equal(readGltfFacts(text), null);
    const boundsOf = (accessor: object) =>
      readGltfFacts(
        JSON.stringify({
          meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
          accessors: [accessor],
        }),
      )?.bounds;
    for (const accessor of [
      { min: [0, 0, 0] },
      { max: [0, 0, 0] },
      { min: [0, 0, 0], max: [0, 0] },
      { min: [0, 0, 0], max: [0, 0, 'x'] },
      { min: [0, 0, 0], max: 'xyz' },
    ])
      assert.equal(boundsOf(accessor), null);
    const odd = {
      meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
      accessors: [{ count: 'many' }],
    };
    assert.equal(readGltfFacts(JSON.stringify(odd))?.vertices, 0);
  });

  it('stand in the first chunk of a binary one', () => {
    const head = (magic: string, length: number, chunk: string) => {
      const file = Buffer.alloc(GLB_HEAD_BYTES);
      file.write(magic, 0);
      file.writeUInt32LE(length, 12);
      file.write(chunk, 16);
      return file;
    };
    assert.equal(GLB_HEAD_BYTES, 20);
    assert.equal(glbJsonLength(head('glTF', 70_000, 'JSON')), 70_000);
    assert.equal(glbJsonLength(Buffer.concat([bytes('xx'), head('glTF', 8, 'JSON')]).subarray(2)), 8);
    assert.equal(glbJsonLength(head('glTX', 8, 'JSON')), null);
    assert.equal(glbJsonLength(head('glTF', 8, 'BIN\0')), null);
    assert.equal(glbJsonLength(head('glTF', 8, 'JSON').subarray(0, 19)), null);
  });
});

describe('the head of a WAV', () => {
  const chunk = (name: string, content: Buffer, length = content.length) => {
    const head = Buffer.alloc(8);
    head.write(name, 0);
    head.writeUInt32LE(length, 4);
    return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
  };
  function format(code: number, channels: number, rate: number, bits: number, extended?: number): Buffer {
    const content = Buffer.alloc(extended === undefined ? 16 : 40);
    content.writeUInt16LE(code, 0);
    content.writeUInt16LE(channels, 2);
    content.writeUInt32LE(rate, 4);
    content.writeUInt16LE(bits, 14);
    if (extended !== undefined) content.writeUInt16LE(extended, 24);
    return chunk('fmt ', content);
  }
  const wav = (...chunks: Buffer[]) => Buffer.concat([bytes('RIFF\0\0\0\0WAVE'), ...chunks]);
  const data = (length: number) => chunk('data', Buffer.alloc(0), length);

  it('tells format, rate and where the samples are', () => {
    assert.deepEqual(readWavHead(wav(format(1, 2, 44_100, 16), data(100)), 1_000), {
      format: { kind: 'integer', bits: 16, channels: 2 },
      rate: 44_100,
      start: 44,
      bytes: 100,
    });
    const list = chunk('LIST', Buffer.alloc(5));
    assert.deepEqual(readWavHead(wav(list, format(3, 1, 8_000, 32), data(100)), 1_000), {
      format: { kind: 'float', bits: 32, channels: 1 },
      rate: 8_000,
      start: 58,
      bytes: 100,
    });
    const extended = readWavHead(wav(format(0xfffe, 6, 48_000, 24, 1), data(100)), 1_000);
    assert.deepEqual(extended?.format, { kind: 'integer', bits: 24, channels: 6 });
    assert.equal(readWavHead(wav(format(0xfffe, 6, 48_000, 32, 3), data(9)), 1_000)?.format.kind, 'float');
  });

  it('takes no more samples than the file has', () => {
    const head = wav(format(1, 1, 8_000, 8), data(0xffffffff));
    assert.equal(readWavHead(head, 60)?.bytes, 16);
    assert.equal(readWavHead(head, 45)?.bytes, 1);
    assert.equal(readWavHead(head, 44), null);
  });

  it('is none of another file, another format, or one that is cut', () => {
    const good = wav(format(1, 1, 8_000, 8), data(4));
    for (const [at, letter] of [
      [0, 'X'],
      [8, 'X'],
      [36, 'X'],
    ] as const) {
      const other = Buffer.from(good);
      other.write(letter, at);
      assert.equal(readWavHead(other, 100), null);
    }
    assert.equal(readWavHead(wav(format(2, 1, 8_000, 8), data(4)), 100), null);
    assert.equal(readWavHead(wav(format(0xfffe, 1, 8_000, 8, 2), data(4)), 100), null);
    assert.equal(readWavHead(wav(data(4)), 100), null);
    for (let length = 0; length < good.length; length += 1)
      assert.equal(readWavHead(good.subarray(0, length), 100), null, `${length}`);
    const shifted = Buffer.concat([bytes('xxx'), good]).subarray(3);
    assert.equal(readWavHead(shifted, 100)?.bytes, 4);
  });
});

describe('the packets of an Ogg', () => {
  const page = (serial: number, lengths: number[], content: string) => {
    const head = Buffer.alloc(27);
    head.write('OggS', 0);
    head.writeUInt32LE(serial, 14);
    head[26] = lengths.length;
    return Buffer.concat([head, Buffer.from(lengths), bytes(content)]);
  };
  const packets = (...pages: Buffer[]) =>
    [...oggPackets(Buffer.concat(pages))].map((packet) => Buffer.from(packet).toString('latin1'));

  it('are joined over segments and pages, of the first stream alone', () => {
    const long = 'x'.repeat(255);
    assert.deepEqual(packets(page(7, [2, 0, 3], 'abcde')), ['ab', '', 'cde']);
    assert.deepEqual(packets(page(7, [1, 255], `a${long}`), page(9, [2], 'no'), page(7, [1, 2], 'bcd')), [
      'a',
      `${long}b`,
      'cd',
    ]);
    assert.deepEqual(packets(page(7, [255, 0], long)), [long]);
  });

  it('end where the file is damaged', () => {
    assert.deepEqual(packets(page(7, [1], 'a'), bytes('OggX'), page(7, [1], 'b')), ['a']);
    assert.deepEqual(packets(page(7, [1], 'a'), page(7, [1], 'b').subarray(0, 26)), ['a']);
    assert.deepEqual(packets(page(7, [255], 'y'.repeat(255))), []);
    assert.deepEqual(packets(bytes('')), []);
  });
});

describe('the type of a file, by its bytes', () => {
  const box = (brand: string) => `\0\0\0\x1cftyp${brand}`;
  const cases: [head: string, type: string, name?: string][] = [
    ['GIF87a', 'image/gif'],
    ['BM\x00\x01', 'image/bmp'],
    ['II*\0', 'image/tiff'],
    ['MM\0*', 'image/tiff'],
    ['8BPS\0', 'image/vnd.adobe.photoshop'],
    ['fLaC\0', 'audio/flac'],
    ['PK\x03\x04', 'application/zip'],
    ['\x1f\x8b\x08', 'application/gzip'],
    ['\0asm\x01', 'application/wasm'],
    ['RIFF\0\0\0\0AVI LIST', 'video/x-msvideo'],
    ['FORM\0\0\0\0AIFCFVER', 'audio/aiff'],
    [box('avis'), 'image/avif'],
    [box('heic'), 'image/heic'],
    [box('mif1'), 'image/heif'],
    [box('M4A '), 'audio/mp4'],
    [box('qt  '), 'video/quicktime'],
    ['\x1aE\xdf\xa3\x9fB\x86\x81\x01matroska', 'video/x-matroska'],
    [`OggS${'\0'.repeat(24)}\x80theora`, 'video/ogg'],
    ['\xff\xf9\x30\0', 'audio/aac'],
    ['\xff\xf1\x34\0', 'application/octet-stream'],
    ['\xff\xf3\x90\0', 'audio/mpeg'],
    ['\xff\xfb\xf0\0', 'application/octet-stream'],
    ['\xff\xf1', 'application/octet-stream'],
    ['tab\tand\x1b[0m\r\n', 'text/plain'],
    ['\x08', 'application/octet-stream'],
    ['\x0e', 'application/octet-stream'],
    ['\x1f', 'application/octet-stream'],
    ['<?xml version="1.0"?><x/>', 'application/xml', 'a.txt'],
    ['; FBX 7.4.0', 'application/vnd.autodesk.fbx', 'a.txt'],
    ['text <script>', 'text/html', 'a.md'],
    [`${' '.repeat(2_000)}<svg>`, 'image/svg+xml', 'a.csv'],
    [`${'x'.repeat(1_024)}<svg>`, 'text/csv', 'a.csv'],
    ['<p>', 'text/markdown', 'a.md'],
  ];
  for (const [head, type, name = 'a.bin'] of cases)
    it(`${JSON.stringify(head.slice(0, 40))} of ${name} is ${type}`, () => {
      assert.equal(mediaTypeOf(bytes(head), name), type);
    });
});
