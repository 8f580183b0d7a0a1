import {
  createReader,
  joinSections,
  type Reader,
  RefusedComponent,
  sectionsOf,
  times,
  u32Bytes,
} from './bytes.ts';
import { checkCoreName } from './core-names.ts';

const SECTION = { type: 1, import: 2, table: 4, memory: 5, export: 7, code: 10 };
const KIND = { func: 0, table: 1, memory: 2, global: 3, tag: 4 };
const FUNCTION_TYPE = 0x60;
const MOST_TABLE_ENTRIES = 100_000;
/** The engine takes hundreds of megabytes to optimize a longer one. The longest of SpiderMonkey has 170 kB. */
const MOST_FUNCTION_BYTES = 300_000;

export interface Limits {
  min: number;
  max: number | null;
}

/** The memories that the module defines itself, in pages of 64 KiB. */
export function memoriesOf(module: Uint8Array): Limits[] {
  return sectionsOf(module)
    .filter(({ id }) => id === SECTION.memory)
    .flatMap(({ body }) => {
      const reader = createReader(body);
      return times(reader.u32(), () => memoryLimits(reader));
    });
}

/** The number of tables that the module defines itself. */
export const tablesOf = (module: Uint8Array): number =>
  sectionsOf(module)
    .filter(({ id }) => id === SECTION.table)
    .reduce((sum, { body }) => sum + createReader(body).u32(), 0);

/** With `mostPages` as the maximum of its memories (in their order), bounded tables, harmless names and no custom sections. */
export function boundModule(module: Uint8Array, mostPages: readonly number[]): Uint8Array {
  const sections = sectionsOf(module).map((section) => {
    const reader = createReader(section.body);
    if (section.id === SECTION.type) checkTypes(reader);
    if (section.id === SECTION.import) checkImports(reader);
    if (section.id === SECTION.export) checkExports(reader);
    if (section.id === SECTION.code) checkFunctions(reader);
    if (section.id === SECTION.table) return { id: section.id, body: boundTables(reader) };
    if (section.id === SECTION.memory) return { id: section.id, body: boundMemories(reader, mostPages) };
    return section;
  });
  return joinSections(module, sections);
}

function boundMemories(reader: Reader, mostPages: readonly number[]): Uint8Array {
  const memories = times(reader.u32(), () => memoryLimits(reader));
  const bounded = memories.flatMap(({ min, max }, at) => {
    const most = mostPages[at] ?? min;
    return [1, ...u32Bytes(min), ...u32Bytes(Math.min(max ?? most, most))];
  });
  return Uint8Array.from([...u32Bytes(memories.length), ...bounded]);
}

function boundTables(reader: Reader): Uint8Array {
  const tables = times(reader.u32(), () => ({
    type: simpleType(reader),
    limits: plainLimits(reader, 'a table'),
  }));
  const bounded = tables.flatMap(({ type, limits: { min, max } }) => {
    if (min > MOST_TABLE_ENTRIES)
      throw new RefusedComponent(
        `The component has a table of ${min} entries: at most ${MOST_TABLE_ENTRIES}`,
      );
    const most = Math.min(max ?? MOST_TABLE_ENTRIES, MOST_TABLE_ENTRIES);
    return [type, 1, ...u32Bytes(min), ...u32Bytes(most)];
  });
  return Uint8Array.from([...u32Bytes(tables.length), ...bounded]);
}

const memoryLimits = (reader: Reader): Limits => plainLimits(reader, 'a memory');

/** Not shared between threads, and of 32 bits. */
function plainLimits(reader: Reader, what: string): Limits {
  const flags = reader.byte();
  if (flags > 1)
    throw new RefusedComponent(`The component has ${what} that is shared or of 64 bits: guests have neither`);
  const min = reader.u32();
  return { min, max: flags === 1 ? reader.u32() : null };
}

/** Numbers, vectors, and references to functions, objects of the host and exceptions: all types of one byte that toolchains use. */
const TYPES: ReadonlySet<number> = new Set([0x7f, 0x7e, 0x7d, 0x7c, 0x7b, 0x70, 0x6f, 0x69]);

/** A type that is not known might be longer, and hide what follows it from the checks. */
function simpleType(reader: Reader): number {
  const type = reader.byte();
  if (TYPES.has(type)) return type;
  throw new RefusedComponent(
    'The component has a core module with a type of reference that guests do not have',
  );
}

/**
 * Only types of functions. Structures and arrays would be allocated outside the memory of the module: the engine then keeps to no
 * limit, and a thread that allocates large arrays in a loop cannot be ended.
 */
function checkTypes(reader: Reader): void {
  times(reader.u32(), () => {
    if (reader.byte() !== FUNCTION_TYPE)
      throw new RefusedComponent(
        'The component uses garbage collection of WebAssembly, which guests do not have',
      );
    times(reader.u32(), () => simpleType(reader));
    times(reader.u32(), () => simpleType(reader));
  });
}

function checkImports(reader: Reader): void {
  times(reader.u32(), () => {
    checkCoreName(reader.name());
    checkCoreName(reader.name());
    skipDescription(reader);
  });
}

function skipDescription(reader: Reader): void {
  const kind = reader.byte();
  if (kind === KIND.func) reader.u32();
  else if (kind === KIND.table) {
    simpleType(reader);
    plainLimits(reader, 'a table');
  } else if (kind === KIND.memory) memoryLimits(reader);
  else if (kind === KIND.global) {
    simpleType(reader);
    reader.byte();
  } else if (kind === KIND.tag) {
    reader.byte();
    reader.u32();
  } else
    throw new RefusedComponent(`The component has a core module with an unknown kind of import (${kind})`);
}

function checkExports(reader: Reader): void {
  times(reader.u32(), () => {
    checkCoreName(reader.name());
    reader.byte();
    reader.u32();
  });
}

function checkFunctions(reader: Reader): void {
  times(reader.u32(), () => {
    const length = reader.u32();
    if (length > MOST_FUNCTION_BYTES)
      throw new RefusedComponent(
        `The component has a function of ${length} bytes: at most ${MOST_FUNCTION_BYTES}`,
      );
    reader.take(length);
  });
}
