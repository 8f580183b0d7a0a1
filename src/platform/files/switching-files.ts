import type { FileStore } from './files.ts';

export interface FilesInForce {
  current(): Promise<FileStore>;
  /** Runs a change; the files stay in their store until it is over. */
  change<Result>(work: (files: FileStore) => Promise<Result>): Promise<Result>;
}

/** The files may move to another store while they are in use. */
export function createSwitchingFiles({ current, change }: FilesInForce): FileStore {
  return {
    describe: async () => (await current()).describe(),
    probe: async () => (await current()).probe(),
    stat: async (path) => (await current()).stat(path),
    read: async (path, most) => (await current()).read(path, most),
    open: async (path) => (await current()).open(path),
    locate: async (path) => (await current()).locate(path),
    list: async (folder) => (await current()).list(folder),
    write: (path, content, options) => change((files) => files.write(path, content, options)),
    writeMany: (writes) => change((files) => files.writeMany(writes)),
    move: (from, to) => change((files) => files.move(from, to)),
    remove: (path) => change((files) => files.remove(path)),
    removeOnly: (path, bytes) => change((files) => files.removeOnly(path, bytes)),
    removeEmptyFolder: (folder) => change((files) => files.removeEmptyFolder(folder)),
    cleanTemporaryFiles: () => change((files) => files.cleanTemporaryFiles()),
  };
}
