import { gzipSync } from 'node:zlib';

export interface TarMember {
  name: string | Uint8Array;
  content?: string | Uint8Array;
  /** The type flag; '0' is a file, by default. */
  kind?: string;
  linkName?: string;
  /** Instead of the right size: a number, or the bytes of the field. */
  size?: number | Uint8Array;
  /** The first part of a long path. */
  prefix?: string;
  /** POSIX by default. */
  magic?: string;
  /** Instead of the right checksum. */
  sum?: number;
}

const BLOCK = 512;
const END = Buffer.alloc(2 * BLOCK);

/** Made by hand, so that it can hold what no honest program would write. `end` is the end mark and what follows. */
export const tarOf = (members: readonly TarMember[], end: Uint8Array = END): Buffer =>
  Buffer.concat([...members.flatMap((member) => [headerOf(member), padded(member.content ?? '')]), end]);

export const tarGzOf = (members: readonly TarMember[], end?: Uint8Array): Buffer =>
  gzipSync(tarOf(members, end));

/** Names the next member as GNU tar does. */
export const longName = (name: string | Uint8Array): TarMember => ({
  name: '././@LongLink',
  kind: 'L',
  content: Buffer.concat([Buffer.from(name), Buffer.alloc(1)]),
  magic: 'ustar  \0',
});

/** Says more of the next member, or of each after it (`g`), as POSIX does. */
export const extended = (records: Record<string, string>, kind: 'x' | 'g' = 'x'): TarMember => ({
  name: 'PaxHeader/x',
  kind,
  content: Object.entries(records).map(paxRecord).join(''),
});

/** The length of a record counts its own digits. */
function paxRecord([key, value]: [string, string]): string {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  let length = bytes + 1;
  while (String(length).length + bytes !== length) length += 1;
  return `${length}${rest}`;
}

function padded(content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & (BLOCK - 1))]);
}

function headerOf(member: TarMember): Buffer {
  const { name, content = '', kind = '0', linkName = '', prefix = '', magic = 'ustar\x0000', sum } = member;
  const block = Buffer.alloc(BLOCK);
  block.set(Buffer.from(name).subarray(0, 100), 0);
  block.write(`0000644\0${'0000000\0'.repeat(2)}`, 100, 'latin1');
  block.set(sizeField(member.size ?? Buffer.from(content).length), 124);
  block.write('00000000000\0', 136, 'latin1');
  block.write(' '.repeat(8), 148, 'latin1');
  block.write(kind, 156, 'latin1');
  block.write(linkName, 157);
  block.write(magic, 257, 'latin1');
  block.write(prefix, 345);
  const right = block.reduce((total, byte) => total + byte, 0);
  block.write(`${(sum ?? right).toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

const sizeField = (size: number | Uint8Array): Uint8Array =>
  typeof size === 'number' ? Buffer.from(`${size.toString(8).padStart(11, '0')}\0`, 'latin1') : size;
