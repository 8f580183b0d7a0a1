const NAMES: ReadonlySet<string> = new Set([
  'thumbs.db',
  'ehthumbs.db',
  'ehthumbs_vista.db',
  'desktop.ini',
  'icon\r',
  '$recycle.bin',
  'system volume information',
  '@eadir',
  '__macosx',
]);

/** Names that Windows, macOS and network storages put beside people's files; without hidden names. */
export const isSystemName = (name: string): boolean => NAMES.has(name.toLowerCase());
