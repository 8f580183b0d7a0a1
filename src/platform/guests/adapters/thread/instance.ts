import type { PreparedGuest } from '../prepared.ts';
import { type CoreInstance, type CoreModule, createRealm, type GuestExports } from './realm.ts';

const MOST_BYTES = 64 * 1024 * 1024;
/** A memory that has this left is as good as full: what was asked for was more. */
const NEARLY = 0.95;

export interface Instance {
  exports: GuestExports;
  /** True if its memories have taken what they may. */
  isFull(): boolean;
}

type Imports = Record<string, Record<string, unknown>>;

/** Runs the guest's own beginning. */
export function createInstance(
  { glue, modules }: Pick<PreparedGuest, 'glue' | 'modules'>,
  imports: Imports,
): Instance {
  const { wasm, instantiate } = createRealm(glue);
  const compiled = new Map(modules.map(([name, bytes]) => [name, new wasm.Module(Uint8Array.from(bytes))]));
  const begun = new Set<CoreModule>();
  const memories = new Set<{ readonly buffer: ArrayBuffer }>();

  function moduleOf(name: string): CoreModule {
    const module = compiled.get(name);
    if (!module) throw new Error(`the translation has no module ${name}`);
    return module;
  }

  // A module's memory is bounded, so a second instance would double it.
  function begin(module: CoreModule, given?: object): CoreInstance {
    if (begun.has(module)) throw new Error('the component has two instances of one core module');
    begun.add(module);
    const instance = new wasm.Instance(module, given);
    for (const exported of Object.values(instance.exports)) {
      if (exported instanceof wasm.Memory) memories.add(exported);
    }
    return instance;
  }

  const exports = instantiate(moduleOf, imports, begin);
  return {
    exports,
    isFull: () =>
      memories.values().reduce((sum, memory) => sum + memory.buffer.byteLength, 0) > MOST_BYTES * NEARLY,
  };
}
