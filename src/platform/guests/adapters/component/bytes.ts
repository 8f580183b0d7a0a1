/** The component is not taken. The message is for whoever made it. */
export class RefusedComponent extends Error {
  override readonly name = 'RefusedComponent';
}

export type Reader = ReturnType<typeof createReader>;

/** Reads the binary format of WebAssembly; throws `RefusedComponent` where it ends early. */
export function createReader(bytes: Uint8Array) {
  let at = 0;

  function byte(): number {
    const value = bytes[at];
    if (value === undefined) throw new RefusedComponent('The component is cut off, or damaged');
    at += 1;
    return value;
  }

  function take(length: number): Uint8Array {
    if (length > bytes.length - at) throw new RefusedComponent('The component is cut off, or damaged');
    at += length;
    return bytes.subarray(at - length, at);
  }

  function u32(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const part = byte();
      value += (part & 0x7f) * 2 ** shift;
      if (part < 0x80) return value;
    }
    throw new RefusedComponent('The component has a number that is too long');
  }

  return {
    byte,
    take,
    u32,
    name: (): string => new TextDecoder().decode(take(u32())),
    isAtEnd: () => at >= bytes.length,
  };
}

export function times<Result>(count: number, work: () => Result): Result[] {
  const results: Result[] = [];
  for (let done = 0; done < count; done += 1) results.push(work());
  return results;
}

/** As LEB128. */
export function u32Bytes(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return [...bytes, rest];
}

export interface Section {
  id: number;
  body: Uint8Array;
}

const PREAMBLE_BYTES = 8;
const CUSTOM = 0;

/** The sections that follow the preamble, without custom ones, which say nothing that runs. */
export function sectionsOf(bytes: Uint8Array): Section[] {
  const reader = createReader(bytes);
  reader.take(PREAMBLE_BYTES);
  const sections: Section[] = [];
  while (!reader.isAtEnd()) {
    const id = reader.byte();
    const body = reader.take(reader.u32());
    if (id !== CUSTOM) sections.push({ id, body });
  }
  return sections;
}

export function joinSections(original: Uint8Array, sections: readonly Section[]): Uint8Array {
  const parts = sections.flatMap(({ id, body }) => [Uint8Array.of(id, ...u32Bytes(body.length)), body]);
  return Buffer.concat([original.subarray(0, PREAMBLE_BYTES), ...parts]);
}
