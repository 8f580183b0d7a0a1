/** Folders and files that nothing can open, since there is no folder to begin with. */
class Descriptor {}

class DirectoryEntryStream {}

export function createWasiFiles() {
  return {
    'wasi:filesystem/preopens': { getDirectories: () => [] },
    'wasi:filesystem/types': { Descriptor, DirectoryEntryStream, filesystemErrorCode: () => undefined },
  };
}
