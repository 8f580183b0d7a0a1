import { gzipSync } from 'node:zlib';
import type { ArchiveErrorCode } from '../../../src/platform/archives/archives.ts';
import { extended, longName, type TarMember, tarGzOf, tarOf } from '../tar.ts';
import type { HostileArchives } from './hostile-archives.ts';

export const GOOD: TarMember = { name: 'good.txt', content: 'good' };
export const EVIL: TarMember = { name: 'evil', content: 'evil' };
const END = 1024;

export const ofKind = (kind: string, more: Partial<TarMember> = {}): TarMember => ({
  name: 'evil',
  kind,
  ...more,
});
const notes = (content: string, kind = 'x'): TarMember => ({ name: 'notes', kind, content });
export const field = (text: string): Buffer => Buffer.from(text, 'latin1');

const BLOCKS: Record<string, [ArchiveErrorCode, ...TarMember[][]]> = {
  'a symbolic link': [
    'bad_entry',
    [ofKind('2', { linkName: '/etc/passwd' })],
    [ofKind('2', { linkName: 'good.txt' })],
    [ofKind('2', { name: 'evil/', linkName: '..' })],
  ],
  'a hard link': ['bad_entry', [ofKind('1', { linkName: 'good.txt' })], [ofKind('1', { content: 'evil' })]],
  'a link with a long target': [
    'bad_entry',
    [{ ...longName('../../x'), kind: 'K' }, ofKind('2')],
    [extended({ linkpath: '../../x' }), ofKind('2')],
    [extended({ linkpath: 'good.txt' }), ofKind('1')],
  ],
  'a device': ['bad_entry', [ofKind('3')], [ofKind('4')]],
  'a named pipe': ['bad_entry', [ofKind('6')]],
  'a sparse file': [
    'bad_entry',
    [ofKind('S')],
    [extended({ 'GNU.sparse.major': '1', 'GNU.sparse.realsize': '9' }), EVIL],
    [extended({ 'GNU.sparse.map': '0,1' }, 'g'), EVIL],
  ],
  'of a kind of its own': [
    'bad_entry',
    ...['7', 'D', 'M', 'V', 'N', 'X', 'A', '!', '\xff'].map((kind) => [ofKind(kind)]),
  ],
  'a folder with bytes': ['damaged', [ofKind('5', { content: 'x' })], [{ name: 'evil/', content: 'x' }]],
  'a long name that leads out': [
    'bad_path',
    [longName('../evil'), EVIL],
    [longName(`${'a/'.repeat(60)}../x`), EVIL],
  ],
  'a path beside the name that leads out': [
    'bad_path',
    [extended({ path: '../evil' }), EVIL],
    [extended({ path: '' }), EVIL],
  ],
  'a prefix that leads out': ['bad_path', [{ ...EVIL, prefix: '..' }], [{ ...EVIL, prefix: '/etc' }]],
  'a path that another has': ['duplicate', [extended({ path: 'good.txt' }), EVIL]],
  'a size beside it that is none': [
    'damaged',
    ...['4.5', '9'.repeat(30), 'Infinity'].map((size) => [extended({ size }), EVIL]),
  ],
  'a size beside it that is wrong': [
    'damaged',
    [extended({ size: '600' }), EVIL],
    [extended({ size: '99999999' }), EVIL],
  ],
  'notes as long as an entry': [
    'bad_entry',
    [notes('x'.repeat(70_000)), EVIL],
    [longName('a'.repeat(70_000)), EVIL],
  ],
  'a wrong checksum': ['damaged', [{ ...EVIL, sum: 1 }]],
  'a size that cannot be read': [
    'damaged',
    ...['-0000000004\0', '0000000000x\0', '00000000009\0'].map((size) => [{ ...EVIL, size: field(size) }]),
    [{ ...EVIL, size: Buffer.alloc(12, 0xff) }],
    [{ ...EVIL, size: Buffer.concat([field('\x80'), Buffer.alloc(11, 0xff)]) }],
  ],
  'a size that is wrong': [
    'damaged',
    [{ ...EVIL, size: 600 }],
    [{ ...EVIL, size: 2 ** 32 }],
    [{ name: 'x', size: 4 }],
  ],
};

export const evil = tarOf([GOOD, EVIL]);
const packed = gzipSync(evil);
const wrongSum = Buffer.from(packed);
wrongSum.writeUInt32LE(1, packed.length - 8);

const WHOLES: Record<string, [ArchiveErrorCode, ...Buffer[]]> = {
  'no end mark': ['damaged', gzipSync(evil.subarray(0, -END))],
  'half an end mark': ['damaged', gzipSync(evil.subarray(0, -END / 2))],
  'a cut in the middle': ['damaged', gzipSync(evil.subarray(0, 700)), gzipSync(evil.subarray(0, 1600))],
  'a wrong checksum': ['damaged', wrongSum],
  'bytes after the end of its gzip': [
    'damaged',
    Buffer.concat([packed, tarOf([{ name: 'hidden' }])]),
    Buffer.concat([packed, Buffer.alloc(200_000, 'x')]),
  ],
  'something other than a tar in it': ['damaged', gzipSync('x'.repeat(2000)), gzipSync(''), gzipSync(packed)],
};

/** Archives that must be refused, by what is wrong with them. */
export const hostileTars: readonly HostileArchives[] = [
  ...Object.entries(BLOCKS).map(([what, [code, ...tries]]) => ({
    what: `an entry that has or is ${what}`,
    code,
    archives: tries.map((members) => tarGzOf([GOOD, ...members])),
  })),
  ...Object.entries(WHOLES).map(([what, [code, ...archives]]) => ({ what, code, archives })),
];
