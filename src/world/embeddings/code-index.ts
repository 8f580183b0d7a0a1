/** Codes of passages in memory: about 75 bytes for a passage with 512 dimensions. */
export interface PassageCodes {
  /** Of the passages. */
  numbers: Float64Array;
  rowIds: Float64Array;
  /** Into `types`. */
  typeNumbers: Uint16Array;
  types: readonly string[];
  /** All of the same length, one after another. */
  codes: Uint8Array;
}

export interface CodeSearch {
  code: Uint8Array;
  limit: number;
  /** All types if null. */
  types: readonly string[] | null;
  /** Entities to leave out. */
  without: readonly number[];
}

const FIRST_ROOM = 1_024;
/** The row id of a passage that was replaced. */
const GONE = -1;

/** Bits set in two words: the halves are added before they are counted, which saves a fifth of the time. */
function bitsIn(one: number, other: number): number {
  const a = one - ((one >>> 1) & 0x55555555);
  const b = other - ((other >>> 1) & 0x55555555);
  const fours = (a & 0x33333333) + ((a >>> 2) & 0x33333333) + ((b & 0x33333333) + ((b >>> 2) & 0x33333333));
  return Math.imul((fours & 0x0f0f0f0f) + ((fours >>> 4) & 0x0f0f0f0f), 0x01010101) >>> 24;
}

const asWords = (bytes: Uint8Array): Uint32Array => new Uint32Array(bytes.slice().buffer);

/** Finds the passages whose codes differ least from a given one, by comparing with each. */
export function createCodeIndex(wordsPerCode: number) {
  let [size, gone, room] = [0, 0, FIRST_ROOM];
  let codes = new Uint32Array(room * wordsPerCode);
  let rowIds = new Float64Array(room);
  let numbers = new Float64Array(room);
  let typeNumbers = new Uint16Array(room);
  let distances = new Uint16Array(room);
  const types: string[] = [];
  const slots = new Map<number, number[]>();

  function typeNumber(type: string): number {
    const known = types.indexOf(type);
    return known >= 0 ? known : types.push(type) - 1;
  }

  function grow(needed: number): void {
    while (room < needed) room *= 2;
    if (rowIds.length === room) return;
    const grown = <Kind extends Uint32Array | Float64Array | Uint16Array>(larger: Kind, old: Kind): Kind => {
      larger.set(old);
      return larger;
    };
    codes = grown(new Uint32Array(room * wordsPerCode), codes);
    rowIds = grown(new Float64Array(room), rowIds);
    numbers = grown(new Float64Array(room), numbers);
    typeNumbers = grown(new Uint16Array(room), typeNumbers);
    distances = new Uint16Array(room);
  }

  function forget(rowId: number): void {
    const own = slots.get(rowId) ?? [];
    for (const slot of own) rowIds[slot] = GONE;
    gone += own.length;
    slots.delete(rowId);
  }

  /** Closes the gaps. */
  function compact(): void {
    let next = 0;
    slots.clear();
    for (let slot = 0; slot < size; slot += 1) {
      const rowId = rowIds[slot] ?? GONE;
      if (rowId === GONE) continue;
      codes.copyWithin(next * wordsPerCode, slot * wordsPerCode, (slot + 1) * wordsPerCode);
      rowIds[next] = rowId;
      numbers[next] = numbers[slot] ?? 0;
      typeNumbers[next] = typeNumbers[slot] ?? 0;
      noteSlot(rowId, next);
      next += 1;
    }
    [size, gone] = [next, 0];
  }

  function noteSlot(rowId: number, slot: number): void {
    const own = slots.get(rowId);
    if (own) own.push(slot);
    else slots.set(rowId, [slot]);
  }

  /** Puts the distance of each wanted passage into `distances`, and counts how many have which. */
  function measure({ code, types: wanted, without }: CodeSearch): { counts: Uint32Array; far: number } {
    const target = asWords(code);
    const far = wordsPerCode * 32 + 1;
    const counts = new Uint32Array(far + 1);
    const isWanted = types.map((type) => wanted === null || wanted.includes(type));
    const omitted = new Set([GONE, ...without]);
    for (let slot = 0, at = 0; slot < size; slot += 1, at += wordsPerCode) {
      let distance = 0;
      if (omitted.has(rowIds[slot] ?? GONE) || !isWanted[typeNumbers[slot] ?? 0]) distance = far;
      else
        for (let word = 0; word < wordsPerCode; word += 2)
          distance += bitsIn(
            (target[word] ?? 0) ^ (codes[at + word] ?? 0),
            word + 1 < wordsPerCode ? (target[word + 1] ?? 0) ^ (codes[at + word + 1] ?? 0) : 0,
          );
      distances[slot] = distance;
      counts[distance] = (counts[distance] ?? 0) + 1;
    }
    return { counts, far };
  }

  /** The largest distance that still belongs to the nearest `limit`. */
  function reachOf(counts: Uint32Array, far: number, limit: number): number {
    let reach = 0;
    for (let found = counts[0] ?? 0; found < limit && reach < far - 1; found += counts[reach] ?? 0)
      reach += 1;
    return reach;
  }

  return {
    size: () => size - gone,
    /** Replaces all passages of each entity that occurs. */
    add(more: PassageCodes): void {
      const { rowIds: ids, types: names } = more;
      for (const rowId of new Set(ids)) forget(rowId);
      if (gone * 2 > size) compact();
      grow(size + ids.length);
      codes.set(asWords(more.codes), size * wordsPerCode);
      const own = names.map(typeNumber);
      for (const [index, rowId] of ids.entries()) {
        const slot = size + index;
        rowIds[slot] = rowId;
        numbers[slot] = more.numbers[index] ?? 0;
        typeNumbers[slot] = own[more.typeNumbers[index] ?? 0] ?? 0;
        noteSlot(rowId, slot);
      }
      size += ids.length;
    },
    /** Numbers of passages, nearest first, up to `limit`. */
    search(query: CodeSearch): Float64Array {
      const { counts, far } = measure(query);
      const reach = reachOf(counts, far, query.limit);
      const near: number[] = [];
      for (let slot = 0; slot < size; slot += 1) if ((distances[slot] ?? far) <= reach) near.push(slot);
      near.sort((one, other) => (distances[one] ?? 0) - (distances[other] ?? 0));
      return Float64Array.from(near.slice(0, query.limit), (slot) => numbers[slot] ?? 0);
    },
  };
}

export type CodeIndex = ReturnType<typeof createCodeIndex>;
