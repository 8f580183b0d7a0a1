const PAGE_HEAD = 27;
const SERIAL_AT = 14;
const SEGMENTS_AT = 26;
const FULL_SEGMENT = 255;

/** In order; ends where the file is damaged. */
export function* oggPackets(file: Uint8Array): Generator<Uint8Array> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let serial: number | null = null;
  let pieces: Uint8Array[] = [];
  for (let at = 0; isPage(file, at); ) {
    const table = file.subarray(at + PAGE_HEAD, at + PAGE_HEAD + (file[at + SEGMENTS_AT] ?? 0));
    const own = view.getUint32(at + SERIAL_AT, true);
    serial ??= own;
    at += PAGE_HEAD + table.length;
    for (const length of table) {
      if (own === serial) {
        pieces.push(file.subarray(at, at + length));
        if (length < FULL_SEGMENT) {
          yield joined(pieces);
          pieces = [];
        }
      }
      at += length;
    }
  }
}

const isPage = (file: Uint8Array, at: number): boolean =>
  at + PAGE_HEAD <= file.length && String.fromCharCode(...file.subarray(at, at + 4)) === 'OggS';

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
