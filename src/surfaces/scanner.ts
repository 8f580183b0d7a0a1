import { BLOB_LIMITS } from '../platform/blobs/blobs.ts';
import { prefixed } from '../platform/blobs/prefixed.ts';
import { createBlobScanner } from '../platform/files/adapters/blob-scanner.ts';
import { createLocalScanner } from '../platform/files/adapters/local-scanner.ts';
import type { FileScanner, FileStoreDescription, RemoteScanner } from '../platform/files/files.ts';
import { openBlobs } from './open-blobs.ts';

/** Reads a content folder synchronously: in a worker thread, or in a process with nothing else to do. */
export function openLocalScanner(place: FileStoreDescription): FileScanner {
  if (place.kind !== 'local') throw new Error(`a ${place.kind} store cannot be walked`);
  return createLocalScanner({ root: place.root });
}

export function openScanner(place: FileStoreDescription): FileScanner | RemoteScanner {
  if (place.kind !== 'blob') return openLocalScanner(place);
  return createBlobScanner({
    async open() {
      const blobs = await openBlobs(place.place, BLOB_LIMITS, place.privateEndpoints);
      return { ...prefixed(blobs, place.prefix), close: () => blobs.close() };
    },
  });
}
