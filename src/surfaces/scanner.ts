import { createLocalScanner } from '../platform/files/adapters/local-scanner.ts';
import type { FileScanner, FileStoreDescription } from '../platform/files/files.ts';

/** Synchronous reading of a content folder: in a worker thread, or in a process that has nothing else to do. */
export function openScanner(place: FileStoreDescription): FileScanner {
  if (place.kind !== 'local') throw new Error(`a ${place.kind} store cannot be scanned`);
  return createLocalScanner({ root: place.root });
}
