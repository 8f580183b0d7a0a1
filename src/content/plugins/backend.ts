import { memberOf, type Part } from './json-part.ts';
import { MANIFEST_LIMITS } from './limits.ts';
import { quoted, type Report } from './report.ts';
import { lineParts, objectIn, pathOf } from './texts.ts';
import type { PluginManifest } from './types.ts';

type Backend = Pick<PluginManifest, 'backend' | 'legacy_routes'>;

const NONE: Backend = { backend: null, legacy_routes: [] };

/** A guest is a WebAssembly component. Files of another language are only named: they do not run. */
export function readBackend(report: Report, root: Part): Backend {
  const capabilities = objectIn(report, root, 'capabilities');
  const part = objectIn(report, capabilities, 'backend') ?? objectIn(report, root, 'backend');
  if (part === undefined) return NONE;
  const entry = pathOf(report, memberOf(part, 'entry'), 'the entry');
  const isGuest = entry?.toLowerCase().endsWith('.wasm') === true;
  const routes = memberOf(part, 'routes');
  const lines = lineParts(report, routes, MANIFEST_LIMITS.legacyRoutes).map(({ line }) => line);
  const legacy = entry === null || isGuest ? lines : [entry, ...lines];
  if (legacy.length > 0) report.warn((isGuest ? routes : undefined) ?? part, doesNotRun(legacy));
  return { backend: isGuest ? { entry } : null, legacy_routes: [...new Set(legacy)] };
}

const doesNotRun = (files: readonly string[]): string =>
  `${files.map(quoted).slice(0, 3).join(', ')}${files.length > 3 ? ' and others' : ''} will not run: a backend is a WebAssembly component, named by capabilities.backend.entry; the rest of the plugin works`;
