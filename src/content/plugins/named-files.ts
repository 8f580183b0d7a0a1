import type { PluginManifest } from './types.ts';

/** The files that a plugin cannot do without: paths below its folder, each once. */
export function namedFiles({ backend, panels, widgets, pages, commands }: PluginManifest): string[] {
  const shown = [...panels, ...widgets, ...pages, ...commands].flatMap(({ url }) => url ?? []);
  return [...new Set([...(backend === null ? [] : [backend.entry]), ...shown])];
}
