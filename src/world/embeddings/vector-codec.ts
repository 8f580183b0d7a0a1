/** How a vector is stored: the angle between two of them is all that counts, so lengths are left out. */
export interface StoredVector {
  /** One bit a dimension: whether it is positive. Vectors at a small angle differ in few of them. */
  code: Uint8Array;
  /** One byte a dimension, which keeps angles to less than a hundredth. */
  bytes: Uint8Array;
}

const LARGEST = 127;
const BITS_PER_WORD = 32;

export const wordsFor = (dimensions: number): number => Math.ceil(dimensions / BITS_PER_WORD);

/** Whole words, so that it can be compared word by word. */
export function codeOf(vector: Float32Array): Uint8Array {
  const words = new Uint32Array(wordsFor(vector.length));
  for (let at = 0; at < vector.length; at += 1)
    if ((vector[at] ?? 0) > 0) words[at >> 5] = (words[at >> 5] ?? 0) | (1 << (at & 31));
  return new Uint8Array(words.buffer);
}

export function encodeVector(vector: Float32Array): StoredVector {
  let most = 0;
  for (const value of vector) most = Math.max(most, Math.abs(value));
  const scale = most === 0 ? 0 : LARGEST / most;
  const bytes = Int8Array.from(vector, (value) => Math.round(value * scale));
  return { code: codeOf(vector), bytes: new Uint8Array(bytes.buffer) };
}

const signed = (bytes: Uint8Array): Int8Array =>
  new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export const decodeVector = (bytes: Uint8Array): Float32Array => Float32Array.from(signed(bytes));

/** The cosine of the angle: 1 for the same direction, around 0 for texts that have nothing in common. */
export function similarity(vector: Float32Array, stored: Uint8Array): number {
  const bytes = signed(stored);
  let [product, one, other] = [0, 0, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    const [value = 0, byte = 0] = [vector[at], bytes[at]];
    product += value * byte;
    one += value * value;
    other += byte * byte;
  }
  return one === 0 || other === 0 ? 0 : product / Math.sqrt(one * other);
}

/** The direction between several vectors. */
export function middleOf(vectors: readonly Float32Array[]): Float32Array {
  const middle = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    const length = Math.hypot(...vector) || 1;
    for (let at = 0; at < middle.length; at += 1) middle[at] = (middle[at] ?? 0) + (vector[at] ?? 0) / length;
  }
  return middle;
}
