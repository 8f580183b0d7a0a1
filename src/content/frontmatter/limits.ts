/**
 * `bytes` and `yamlBytes` are UTF-8 bytes; `nodes` counts every value with aliases expanded, `depth` nested collections,
 * `aliases` `*name` references.
 */
export const DOCUMENT_LIMITS = {
  bytes: 16 * 1024 * 1024,
  yamlBytes: 1024 * 1024,
  nodes: 50_000,
  depth: 64,
  aliases: 1_000,
} as const;
