import type { GuestImport } from '../../guests.ts';
import { createReader, type Reader, RefusedComponent, sectionsOf, times } from './bytes.ts';

const IMPORTS = 10;
const INSTANCE = 5;
const NAME_WITH_SUFFIX = 1;

const OURS = /^canonry:plugin\/(log|entities|settings|kv|events|http)@1\.0\.0$/;
const VERSION = /@0\.2\.\d+$/;

/** Of WASI 0.2; `thread/wasi.ts` implements them. */
export const wasiInterfaces = [
  'wasi:cli/environment',
  'wasi:cli/exit',
  'wasi:cli/stderr',
  'wasi:cli/stdin',
  'wasi:cli/stdout',
  'wasi:cli/terminal-input',
  'wasi:cli/terminal-output',
  'wasi:cli/terminal-stderr',
  'wasi:cli/terminal-stdin',
  'wasi:cli/terminal-stdout',
  'wasi:clocks/monotonic-clock',
  'wasi:clocks/wall-clock',
  'wasi:filesystem/preopens',
  'wasi:filesystem/types',
  'wasi:io/error',
  'wasi:io/poll',
  'wasi:io/streams',
  'wasi:random/insecure',
  'wasi:random/insecure-seed',
  'wasi:random/random',
] as const;

const KNOWN: ReadonlySet<string> = new Set(wasiInterfaces);

/** The interfaces of ours that a component imports. Throws `RefusedComponent` for any import that guests do not get. */
export function importsOf(component: Uint8Array): GuestImport[] {
  const names = sectionsOf(component)
    .filter(({ id }) => id === IMPORTS)
    .flatMap(({ body }) => readImports(createReader(body)));
  return names.flatMap((name) => {
    const own = OURS.exec(name)?.[1];
    if (own) return [own as GuestImport];
    if (VERSION.test(name) && KNOWN.has(name.replace(VERSION, ''))) return [];
    throw new RefusedComponent(`The component imports ${name}, which guests do not get${advice(name)}`);
  });
}

function advice(name: string): string {
  if (/^wasi:http/.test(name))
    return ': for requests, import canonry:plugin/http@1.0.0 (and in ComponentizeJS disable http and fetch-event)';
  if (/^wasi:sockets/.test(name)) return ': for requests, import canonry:plugin/http@1.0.0';
  if (name.startsWith('canonry:plugin/')) return ': this version has canonry:plugin@1.0.0';
  return name.startsWith('wasi:') ? ': of WASI, use cli, clocks, filesystem, io and random of 0.2' : '';
}

/** A component that imports anything but instances is refused at the first other import. */
function readImports(reader: Reader): string[] {
  return times(reader.u32(), () => {
    const hasSuffix = reader.byte() === NAME_WITH_SUFFIX;
    const name = reader.name();
    if (hasSuffix) reader.name();
    const kind = reader.byte();
    if (kind !== INSTANCE)
      throw new RefusedComponent(
        `The component imports ${name}, which is no interface: guests get only these`,
      );
    reader.u32();
    return name;
  });
}
