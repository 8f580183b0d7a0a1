import { crc32, deflateRawSync } from 'node:zlib';
import type { ArchiveErrorCode } from '../../../src/platform/archives/archives.ts';
import { littleEndian, type ZipMember, type ZipOptions, zipOf } from '../zip.ts';
import type { HostileArchives } from './hostile-archives.ts';

export const MOST_32 = 0xffff_ffff;
const SIZES_FOLLOW = 0x0808;
export const GOOD: ZipMember = { name: 'good.txt', content: 'good' };
export const EVIL: ZipMember = { name: 'evil', content: 'evil' };

/** An extra field. */
export const extra = (id: number, data: Uint8Array): Buffer =>
  Buffer.concat([littleEndian([2, id], [2, data.length]), data]);

export const zip64 = (...numbers: number[]): Buffer =>
  extra(1, littleEndian(...numbers.map((number) => [8, number] as const)));

export const unicodePath = (name: string, path: string): Buffer =>
  extra(0x7075, Buffer.concat([Buffer.from([1]), littleEndian([4, crc32(name)]), Buffer.from(path)]));

export const streamed = (after: Uint8Array): ZipMember => ({
  ...EVIL,
  both: { flags: SIZES_FOLLOW },
  local: { sum: 0, packed: 0, size: 0 },
  after,
});

/** The same with other bytes in the first place of some. */
function changed(archive: Buffer, from: string, to: string): Buffer {
  const copy = Buffer.from(archive);
  copy.write(to, archive.indexOf(from, 'latin1'), 'latin1');
  return copy;
}

const WIDE = zipOf([GOOD, EVIL], { wide: {} });
const kind = (name: string, mode: number, content = ''): ZipMember => ({ name, mode, content });

/** Bad members, each of which comes after a good one. */
const MEMBERS: Record<string, [ArchiveErrorCode, ...ZipMember[]]> = {
  'a symbolic link': ['bad_entry', kind('evil', 0o120777, '/etc/passwd')],
  'a symbolic link named like a folder': ['bad_entry', kind('evil/', 0o120777)],
  'a device': ['bad_entry', kind('evil', 0o020644), kind('evil', 0o060644)],
  'a named pipe': ['bad_entry', kind('evil', 0o010644)],
  'a socket': ['bad_entry', kind('evil', 0o140644)],
  'a link of Windows': ['bad_entry', { ...EVIL, central: { attributes: 0x400 } }],
  'a way of packing that is not common': [
    'bad_entry',
    ...[1, 9, 12, 14, 93, 99].map((method) => ({ ...EVIL, both: { method } })),
  ],
  'a password': ['encrypted', { ...EVIL, both: { flags: 0x0801 } }],
  'a password by the directory alone': ['encrypted', { ...EVIL, central: { flags: 0x0801 } }],
  'strong encryption': ['damaged', { ...EVIL, both: { flags: 0x0841 } }],
  'a size that is too small': [
    'damaged',
    { ...EVIL, claimedSize: 2 },
    { ...EVIL, claimedSize: 2, isStored: true },
  ],
  'a size that is too large': [
    'damaged',
    { ...EVIL, claimedSize: 9 },
    { ...EVIL, claimedSize: 9, isStored: true },
  ],
  'a wrong checksum': [
    'damaged',
    { ...EVIL, both: { sum: 1 } },
    { ...EVIL, isStored: true, both: { sum: 1 } },
  ],
  'data that is cut off': ['damaged', { ...EVIL, data: deflateRawSync(Buffer.from('evil')).subarray(0, 3) }],
  'data that is none': ['damaged', { ...EVIL, data: Buffer.from('\xff\xff\xff', 'latin1') }],
  'no data at all': ['damaged', { ...EVIL, data: Buffer.alloc(0) }],
  'a place further on than it is': ['damaged', { ...EVIL, central: { offset: 45 } }],
  'a place in the directory': ['damaged', { ...EVIL, central: { offset: 100 } }],
  'a place outside the archive': ['damaged', { ...EVIL, central: { offset: 1_000_000 } }],
  'more bytes than the archive': ['damaged', { ...EVIL, both: { packed: 1_000_000 } }],
  'extra fields that go on too long': [
    'damaged',
    { ...EVIL, both: { extra: littleEndian([2, 9], [2, 5], [4, 0]) } },
  ],
  'a Zip64 size that is missing': [
    'damaged',
    { ...EVIL, central: { size: MOST_32 } },
    { ...EVIL, central: { size: MOST_32, packed: MOST_32, extra: zip64(4) } },
  ],
  'a Zip64 size that is wrong': ['damaged', { ...EVIL, central: { size: MOST_32, extra: zip64(2 ** 60) } }],
  'a Zip64 place that is wrong': [
    'damaged',
    { ...EVIL, central: { offset: MOST_32, extra: zip64(2 ** 60) } },
    { ...EVIL, central: { packed: MOST_32, extra: zip64(2 ** 63) } },
  ],
  'a path in Unicode that leads out': [
    'bad_path',
    { ...EVIL, both: { extra: unicodePath('evil', '../evil') } },
  ],
  'a path in Unicode that another has': [
    'duplicate',
    { ...EVIL, both: { extra: unicodePath('evil', 'good.txt') } },
  ],
};

const WHOLES: Record<string, [ArchiveErrorCode, ...(ZipOptions | Buffer)[]]> = {
  'fewer entries than it says': ['damaged', { end: { count: 3, countHere: 3 } }],
  'several parts': ['damaged', { end: { disk: 1 } }, { wide: { disk: 1 }, end: { disk: 0xffff } }],
  'its directory elsewhere': ['damaged', { end: { start: 0 } }, { end: { start: MOST_32 } }],
  'a Zip64 count beyond all': [
    'damaged',
    { wide: { count: 2 ** 60, countHere: 2 ** 60 }, end: { count: 0xffff, countHere: 0xffff } },
  ],
  'a Zip64 directory elsewhere': [
    'damaged',
    { wide: { start: 2 ** 60 }, end: { start: MOST_32 } },
    { wide: { start: 0 } },
    { wide: { at: 0 } },
    { wide: { at: 2 ** 60 } },
  ],
  'a directory of something else': ['damaged', changed(zipOf([GOOD, EVIL]), 'PK\x01\x02', 'PK\x01\x03')],
  'a Zip64 record of something else': [
    'damaged',
    changed(WIDE, 'PK\x06\x06', 'PK\x06\x08'),
    Buffer.concat([Buffer.from('PK\x03\x04'), WIDE.subarray(-42)]),
    Buffer.concat([Buffer.from('PK\x03\x04'), WIDE.subarray(-43)]),
  ],
  'bytes after its end': ['damaged', Buffer.concat([zipOf([GOOD, EVIL]), Buffer.from('x')])],
  'another archive after its end': ['damaged', Buffer.concat([zipOf([GOOD]), zipOf([EVIL])])],
  'a program before it': ['not_an_archive', Buffer.concat([Buffer.from('MZ program'), zipOf([GOOD])])],
};

/** Archives that must be refused, by what is wrong with them. */
export const hostileZips: readonly HostileArchives[] = [
  ...Object.entries(MEMBERS).map(([what, [code, ...members]]) => ({
    what: `an entry that has or is ${what}`,
    code,
    archives: members.map((member) => zipOf([GOOD, member])),
  })),
  ...Object.entries(WHOLES).map(([what, [code, ...wholes]]) => ({
    what,
    code,
    archives: wholes.map((whole) => (Buffer.isBuffer(whole) ? whole : zipOf([GOOD, EVIL], whole))),
  })),
];
