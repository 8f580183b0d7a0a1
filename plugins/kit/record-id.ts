const PRIME = 0x01000193;
const SEEDS = [0x811c9dc5, 0x2b9e4f07, 0x5d3a7c61, 0x9c1b82e3];

function hash(text: string, seed: number): string {
  let value = seed;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), PRIME);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return ((value ^ (value >>> 13)) >>> 0).toString(16).padStart(8, '0');
}

/** A UUID that is the same whenever it is made of the same names, so that two windows write one record and not two. */
export function recordIdOf(...names: readonly string[]): string {
  const hex = SEEDS.map((seed) => hash(JSON.stringify(names), seed)).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
