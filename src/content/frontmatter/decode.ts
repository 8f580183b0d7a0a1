import type { DocumentProblem } from './problem.ts';

export type DecodeResult = { ok: true; text: string } | { ok: false; problem: DocumentProblem };

/** A byte order mark is kept. Bytes that are not UTF-8 are reported with line and column. */
export function decodeUtf8(bytes: Uint8Array): DecodeResult {
  const text = decodeWhole(bytes);
  if (text !== undefined) return { ok: true, text };
  const valid = validPrefix(bytes);
  const before = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, valid), {
    stream: true,
  });
  const line = before.split('\n').length;
  const column = before.length - before.lastIndexOf('\n');
  return {
    ok: false,
    problem: {
      reason: `byte ${valid + 1} of the file is not valid UTF-8; save the file as UTF-8`,
      line,
      column,
      code: 'encoding',
    },
  };
}

/**
 * For a file about to be replaced: UTF-16, else UTF-8, else Windows-1252, in which every byte is a character. NUL, which
 * crashes leave behind and no database stores as text, becomes its symbol.
 */
export function textOfAnyBytes(bytes: Uint8Array): string {
  const wide = wideEncodingOf(bytes);
  const text = wide ? new TextDecoder(wide).decode(bytes) : decodeWhole(bytes);
  return (text ?? new TextDecoder('windows-1252').decode(bytes)).replaceAll('\0', '\u2400');
}

/** By the byte order mark, else by NUL bytes that stand only in every second place. */
function wideEncodingOf(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  let [even, odd] = [0, 0];
  for (const [at, byte] of bytes.entries()) {
    if (byte !== 0) continue;
    if (at % 2 === 0) even += 1;
    else odd += 1;
  }
  const many = bytes.length / 4;
  if (even === 0 && odd > many) return 'utf-16le';
  return odd === 0 && even > many ? 'utf-16be' : null;
}

const newDecoder = () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const whole = newDecoder();

function decodeWhole(bytes: Uint8Array): string | undefined {
  try {
    return whole.decode(bytes);
  } catch {
    return undefined;
  }
}

function isStart(bytes: Uint8Array): boolean {
  try {
    newDecoder().decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function validPrefix(bytes: Uint8Array): number {
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1;
    if (isStart(bytes.subarray(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}
