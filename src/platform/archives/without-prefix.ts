/**
 * Drops the folder that archives of repositories have around everything (`name-1.2/`): one folder at the top with all
 * files in it, and `marker` directly in that folder. Otherwise the files are returned as they are.
 */
export function withoutPrefix<T extends { path: string }>(files: readonly T[], marker: string): readonly T[] {
  const main = files.find(
    ({ path }) => path.endsWith(`/${marker}`) && path.indexOf('/') === path.lastIndexOf('/'),
  );
  const prefix = main?.path.slice(0, -marker.length);
  if (prefix === undefined || !files.every(({ path }) => path.startsWith(prefix))) return files;
  return files.map((file) => ({ ...file, path: file.path.slice(prefix.length) }));
}
