import type { FileScanner, FileStat, ScanBatch } from '../../platform/files/files.ts';
import { isBelow } from './scope.ts';

const BATCH = 500;

/** The folder whose files compete to be the main one: `Characters/ada/…` → `Characters/ada`. */
const groupOf = (path: string): string => path.split('/', 2).join('/');

/** A listing in the form of a walk, with the bytes of the few files that a walk reads. */
export function createListedFiles(
  { files, skipped }: ScanBatch,
  options: { bytes: ReadonlyMap<string, Uint8Array>; isWhole: boolean },
): Pick<FileScanner, 'scan' | 'readSync'> {
  const sorted = files.toSorted((one, other) => (one.path < other.path ? -1 : 1));

  function* batches(listed: readonly FileStat[]): Iterable<ScanBatch> {
    let batch: FileStat[] = [];
    for (const file of listed) {
      const last = batch.at(-1);
      if (last && batch.length >= BATCH && groupOf(last.path) !== groupOf(file.path)) {
        yield { files: batch, skipped: [] };
        batch = [];
      }
      batch.push(file);
    }
    if (batch.length > 0) yield { files: batch, skipped: [] };
  }

  return {
    *scan({ under = '' } = {}) {
      if (under === '') {
        // Paths elsewhere were not listed.
        const elsewhere = options.isWhole ? [] : [{ path: '', reason: 'unreadable' as const }];
        yield { files: [], skipped: [...skipped, ...elsewhere] };
        yield* batches(sorted);
        return;
      }
      const isInside = isBelow([under]);
      yield { files: [], skipped: skipped.filter(({ path }) => isInside(path) || isBelow([path])(under)) };
      yield* batches(sorted.filter(({ path }) => isInside(path)));
    },
    readSync(path) {
      const bytes = options.bytes.get(path);
      if (bytes === undefined) throw new Error(`${path} was not fetched`);
      return bytes;
    },
  };
}
