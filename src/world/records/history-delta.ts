/**
 * A delta makes one byte string from another by copying and inserting. Layout: the lengths of base and target, then
 * operations until the end; each is `length * 2 + 1` and an offset in the base for a copy, or `length * 2` and the
 * bytes for an insertion. Numbers are LEB128.
 */

const BLOCK = 16;
/** Above this many differing bytes, a search for copies would block the thread too long. */
const LARGEST_SEARCH = 4 * 1024 * 1024;

/** At most a few bytes longer than `target`. */
export function encodeDelta(base: Uint8Array, target: Uint8Array): Uint8Array {
  const start = equalStart(base, target);
  const end = equalEnd(base, target, start);
  const out = createWriter();
  out.number(base.length);
  out.number(target.length);
  out.copy(0, start);
  const [baseEnd, targetEnd] = [base.length - end, target.length - end];
  if (baseEnd - start + (targetEnd - start) > LARGEST_SEARCH) out.insert(target.subarray(start, targetEnd));
  else encodeMiddle(base.subarray(0, baseEnd), target.subarray(0, targetEnd), start, out);
  out.copy(baseEnd, end);
  return out.bytes();
}

/** Returns the target. Throws if the delta is damaged or was made from another base. */
export function decodeDelta(base: Uint8Array, delta: Uint8Array): Uint8Array {
  const input = createReader(delta);
  if (input.number() !== base.length) throw damaged();
  const target = new Uint8Array(input.number());
  let at = 0;
  while (!input.atEnd()) {
    const tag = input.number();
    const length = tag >>> 1;
    const source = tag & 1 ? slice(base, input.number(), length) : input.take(length);
    if (at + length > target.length) throw damaged();
    target.set(source, at);
    at += length;
  }
  if (at !== target.length) throw damaged();
  return target;
}

const damaged = () => new Error('a kept version is damaged: it does not fit the version after it');

function slice(bytes: Uint8Array, start: number, length: number): Uint8Array {
  if (start + length > bytes.length) throw damaged();
  return bytes.subarray(start, start + length);
}

function equalStart(left: Uint8Array, right: Uint8Array): number {
  const most = Math.min(left.length, right.length);
  let count = 0;
  while (count < most && left[count] === right[count]) count++;
  return count;
}

function equalEnd(left: Uint8Array, right: Uint8Array, start: number): number {
  const most = Math.min(left.length, right.length) - start;
  let count = 0;
  while (count < most && left[left.length - 1 - count] === right[right.length - 1 - count]) count++;
  return count;
}

function encodeMiddle(base: Uint8Array, target: Uint8Array, from: number, out: Writer): void {
  const blocks = new Map<number, number>();
  for (let at = from; at + BLOCK <= base.length; at += BLOCK) {
    const hash = hashAt(base, at);
    if (!blocks.has(hash)) blocks.set(hash, at);
  }
  let [at, pending] = [from, from];
  while (at + BLOCK <= target.length) {
    const found = blocks.get(hashAt(target, at));
    const length = found === undefined ? 0 : matchLength(base, found, target, at);
    if (found === undefined || length < BLOCK) {
      at++;
      continue;
    }
    const back = matchBack(base, found, target, at, pending);
    out.insert(target.subarray(pending, at - back));
    out.copy(found - back, length + back);
    at += length;
    pending = at;
  }
  out.insert(target.subarray(pending));
}

function hashAt(bytes: Uint8Array, start: number): number {
  let hash = 0;
  for (let at = start; at < start + BLOCK; at++) hash = (Math.imul(hash, 31) + (bytes[at] ?? 0)) | 0;
  return hash;
}

function matchLength(base: Uint8Array, baseAt: number, target: Uint8Array, targetAt: number): number {
  const most = Math.min(base.length - baseAt, target.length - targetAt);
  let length = 0;
  while (length < most && base[baseAt + length] === target[targetAt + length]) length++;
  return length;
}

function matchBack(
  base: Uint8Array,
  baseAt: number,
  target: Uint8Array,
  targetAt: number,
  until: number,
): number {
  const most = Math.min(baseAt, targetAt - until);
  let length = 0;
  while (length < most && base[baseAt - 1 - length] === target[targetAt - 1 - length]) length++;
  return length;
}

interface Writer {
  number(value: number): void;
  copy(offset: number, length: number): void;
  insert(bytes: Uint8Array): void;
  bytes(): Uint8Array;
}

function createWriter(): Writer {
  const parts: Uint8Array[] = [];
  function number(value: number): void {
    const digits: number[] = [];
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) digits.push((rest % 128) | 128);
    parts.push(Uint8Array.from([...digits, rest]));
  }
  return {
    number,
    copy(offset, length) {
      if (length === 0) return;
      number(length * 2 + 1);
      number(offset);
    },
    insert(bytes) {
      if (bytes.length === 0) return;
      number(bytes.length * 2);
      parts.push(bytes);
    },
    bytes: () => Buffer.concat(parts),
  };
}

function createReader(bytes: Uint8Array) {
  let at = 0;
  return {
    atEnd: () => at >= bytes.length,
    number(): number {
      let value = 0;
      for (let factor = 1; factor < 2 ** 36; factor *= 128) {
        const digit = bytes[at++];
        if (digit === undefined) break;
        value += (digit & 127) * factor;
        if (digit < 128) return value;
      }
      throw damaged();
    },
    take(length: number): Uint8Array {
      const taken = slice(bytes, at, length);
      at += length;
      return taken;
    },
  };
}
