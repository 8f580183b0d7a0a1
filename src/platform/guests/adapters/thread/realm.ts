import { TextDecoder, TextEncoder } from 'node:util';
import { createContext, runInContext, runInNewContext, Script } from 'node:vm';

type Imports = Record<string, Record<string, unknown>>;
export type GuestExports = Readonly<
  Record<string, Readonly<Record<string, (...args: readonly unknown[]) => unknown>> | undefined>
>;

/** A compiled core module. */
export type CoreModule = object;

export interface CoreInstance {
  readonly exports: Readonly<Record<string, unknown>>;
}

/** The part of the engine's `WebAssembly` that is used. */
interface Wasm {
  Module: new (bytes: Uint8Array) => CoreModule;
  Instance: new (module: CoreModule, imports?: object) => CoreInstance;
  Memory: new () => { readonly buffer: ArrayBuffer };
}

type Instantiate = (
  module: (name: string) => CoreModule,
  imports: Imports,
  instantiate: (module: CoreModule, imports?: object) => CoreInstance,
) => GuestExports;

export interface Realm {
  /** Of this realm: errors of WebAssembly are of the realm that instantiated it. */
  wasm: Wasm;
  instantiate: Instantiate;
}

/** The engine puts one into each realm. */
const NO_CONSOLE = 'delete globalThis.console';

/**
 * Runs the translated glue of a guest in a realm that has nothing but the language, WebAssembly and the two coders of texts: no
 * modules, no network, no timers, and no code from strings. A guest cannot reach JavaScript at all; this is for a fault in the
 * translation.
 */
export function createRealm(glue: string): Realm {
  const context = createContext(
    { TextEncoder, TextDecoder },
    { codeGeneration: { strings: false, wasm: true } },
  );
  runInContext(NO_CONSOLE, context);
  return {
    wasm: runInContext('WebAssembly', context),
    instantiate: new Script(glue, { filename: 'guest.js' }).runInContext(context),
  };
}

/**
 * Takes everything from this thread that the language itself does not have. Objects that the realm gets from here lead to no
 * constructor of functions, which would run code from strings here.
 */
export function lockThread(): void {
  const language: unknown[] = runInNewContext(`${NO_CONSOLE}; Reflect.ownKeys(globalThis)`);
  for (const name of Reflect.ownKeys(globalThis)) {
    if (!language.includes(name)) Reflect.deleteProperty(globalThis, name);
  }
  for (const made of [() => {}, async () => {}, function* () {}, async function* () {}])
    Reflect.deleteProperty(Object.getPrototypeOf(made), 'constructor');
}
