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

/** True for files and folders that Windows, macOS and network storages put beside what people make; hidden ones aside. */
export const isSystemName = (name: string): boolean => NAMES.has(name.toLowerCase());
