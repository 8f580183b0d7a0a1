export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

export interface Decoded {
  text: string;
  encoding: Encoding;
}

/** The bytes by which a file of 16-bit Unicode begins, as Excel’s “Unicode text” does. */
const MARKS: readonly (readonly [Encoding, number, number])[] = [
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
];

/** Excel’s plain “CSV” is in the encoding of the computer: in most countries of the West, Windows-1252. */
export function decode(bytes: Uint8Array): Decoded {
  const [encoding = 'utf-8'] =
    MARKS.find(([, ...mark]) => mark.every((byte, at) => bytes[at] === byte)) ?? [];
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), encoding };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' };
  }
}
