import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

export const guestSource = (name: string): string =>
  readFileSync(join(import.meta.dirname, `${name}.js`), 'utf8');

export const asComponent = (bytes: Uint8Array): GuestComponent => ({
  hash: sha256(bytes),
  read: async () => bytes,
});

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
