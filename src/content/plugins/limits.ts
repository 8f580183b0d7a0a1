/** `bytes` are of UTF-8; `depth` counts nested values; texts are counted in UTF-16 units, all others in items. */
export const MANIFEST_LIMITS = {
  bytes: 256 * 1024,
  depth: 32,
  panels: 100,
  widgets: 100,
  pages: 100,
  commands: 100,
  /** For each scope. */
  settings: 200,
  /** Of one setting. */
  options: 200,
  permissions: 100,
  /** Of one panel. */
  entityTypes: 200,
  legacyRoutes: 100,
  /** Errors come first; a last one says how many more there are. */
  problems: 100,
  id: 64,
  line: 200,
  description: 10_000,
  path: 500,
} as const;
