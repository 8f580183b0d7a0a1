import type { FileStat, FileStore, FileWrite } from './files.ts';

const AT_ONCE = 16;

/** For stores whose writes share nothing: a few files at a time. */
export async function writeEach(
  write: FileStore['write'],
  files: readonly FileWrite[],
): Promise<PromiseSettledResult<FileStat>[]> {
  const results: PromiseSettledResult<FileStat>[] = [];
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const part = files.slice(at, at + AT_ONCE);
    const writes = part.map(({ path, content, ...options }) => write(path, content, options));
    results.push(...(await Promise.allSettled(writes)));
  }
  return results;
}
