import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { componentEmbed, componentNew, parse } from '@bytecodealliance/jco-transpile/wasm-tools';
import { componentize } from 'componentize-qjs';
import type { GuestComponent } from '../../../src/platform/guests/guests.ts';

const WIT = join(import.meta.dirname, '../../../src/platform/guests/wit/plugin.wit');
/** Part of the names of kept files: raise it when the builder changes. */
const BUILDER = 'componentize-qjs 0.4.5';

export type World = 'plugin' | 'plugin-with-hooks' | 'plugin-with-routes' | 'plugin-full';

/** A guest in JavaScript (QuickJS), built once for each source and kept with the temporary files. */
export async function buildGuest(jsSource: string, world: World = 'plugin-full'): Promise<Uint8Array> {
  const key = sha256(Buffer.from([BUILDER, world, readFileSync(WIT, 'utf8'), jsSource].join('\0')));
  const folder = join(tmpdir(), 'canonry-test-guests');
  const path = join(folder, `${key}.wasm`);
  try {
    return readFileSync(path);
  } catch {
    const { component } = await componentize({ witPath: WIT, world, jsSource, sync: true, optSize: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${path}.${process.pid}`, component);
    renameSync(`${path}.${process.pid}`, path);
    return component;
  }
}

export const guestFile = (name: string): Uint8Array => readFileSync(join(import.meta.dirname, name));

export const guestSource = (name: string): string => new TextDecoder().decode(guestFile(`${name}.js`));

export const asComponent = (bytes: Uint8Array): GuestComponent => ({
  hash: sha256(bytes),
  read: async () => bytes,
});

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A guest that a compiler made as a core module, whose imports and exports have the names of the canonical ABI. */
export const wrapGuest = (module: Uint8Array, world: World = 'plugin-full'): Promise<Uint8Array> =>
  wrapModule(module, readFileSync(WIT, 'utf8'), world);

export async function wrapModule(module: Uint8Array, witSource: string, world: string): Promise<Uint8Array> {
  return componentNew(await componentEmbed({ binary: module, witSource, world }));
}

/** A component or core module in the text format of WebAssembly. */
export const assembled = (wat: string): Promise<Uint8Array> => parse(wat);
