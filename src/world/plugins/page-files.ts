import { extensionOf, mimeTypeOf } from '../../content/paths/index.ts';
import type { PluginManifest } from '../../content/plugins/index.ts';
import { MANIFEST } from './plugin-rows.store.ts';

/** Types that only pages have. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['htm', 'text/html; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['mjs', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['wasm', 'application/wasm'],
  ['map', 'application/json'],
  ['woff', 'font/woff'],
  ['woff2', 'font/woff2'],
  ['ttf', 'font/ttf'],
  ['otf', 'font/otf'],
  ['ico', 'image/x-icon'],
]);

export function typeOfPageFile(path: string): string {
  const type = TYPES.get(extensionOf(path)) ?? mimeTypeOf(path) ?? 'application/octet-stream';
  return type.startsWith('text/') && !type.includes('charset') ? `${type}; charset=utf-8` : type;
}

/** A guest's code and the manifest belong to the service. */
export const isPageFile = (path: string, { backend }: PluginManifest): boolean =>
  path !== MANIFEST &&
  path !== backend?.entry &&
  path.split('/').every((part) => part !== '' && !part.startsWith('.'));
