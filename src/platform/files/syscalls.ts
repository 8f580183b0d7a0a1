import fs from 'node:fs';
import { promisify } from 'node:util';
import { createSyncCommand } from './sync-command.ts';

/**
 * Replaceable, so that tests can make the N-th call fail. Calls that only touch cached metadata are synchronous: a trip to
 * the thread pool costs more.
 */
export interface Syscalls {
  openSync(path: string, flags: number, mode?: number): number;
  closeSync(fd: number): void;
  readSync(fd: number, buffer: Uint8Array, offset: number): number;
  read(fd: number, buffer: Uint8Array, offset: number): Promise<number>;
  writeSync(fd: number, bytes: Uint8Array, offset: number): number;
  write(fd: number, bytes: Uint8Array, offset: number): Promise<number>;
  fsyncSync(fd: number): void;
  fsync(fd: number): Promise<void>;
  /** Syncs everything that was written to the file system of `path`; rejects if the system has no such call. */
  syncFileSystem(path: string): Promise<void>;
  fchmodSync(fd: number, mode: number): void;
  fstatSync(fd: number): fs.Stats;
  lstatSync(path: string): fs.Stats | undefined;
  realpathSync(path: string): string;
  mkdirSync(path: string): void;
  renameSync(from: string, to: string): void;
  linkSync(from: string, to: string): void;
  unlinkSync(path: string): void;
  unlink(path: string): Promise<void>;
  /** Fails with ENOTEMPTY if the folder contains anything. */
  rmdirSync(path: string): void;
  removeTree(path: string): Promise<void>;
  readdir(path: string): Promise<fs.Dirent[]>;
}

const syncWith = createSyncCommand();
/** Linux's magic numbers of ext4, XFS and btrfs: there the call is known to wait until everything is on disk. */
const SYNCED_AS_A_WHOLE: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e]);

async function syncFileSystem(path: string): Promise<void> {
  const { type } = await fs.promises.statfs(path);
  if (process.platform !== 'linux' || !SYNCED_AS_A_WHOLE.has(type))
    throw new Error(`${path} cannot be synced as a whole`);
  await syncWith(path);
}

const readAt = promisify(fs.read);
const writeAt = promisify(fs.write);

export const systemCalls: Syscalls = {
  openSync: fs.openSync,
  closeSync: fs.closeSync,
  readSync: (fd, buffer, offset) => fs.readSync(fd, buffer, offset, buffer.length - offset, null),
  read: async (fd, buffer, offset) =>
    (await readAt(fd, buffer, offset, buffer.length - offset, null)).bytesRead,
  writeSync: (fd, bytes, offset) => fs.writeSync(fd, bytes, offset, bytes.length - offset),
  write: async (fd, bytes, offset) =>
    (await writeAt(fd, bytes, offset, bytes.length - offset, null)).bytesWritten,
  fsyncSync: fs.fsyncSync,
  fsync: promisify(fs.fsync),
  syncFileSystem,
  fchmodSync: fs.fchmodSync,
  fstatSync: (fd) => fs.fstatSync(fd),
  lstatSync: (path) => fs.lstatSync(path, { throwIfNoEntry: false }),
  realpathSync: (path) => fs.realpathSync.native(path),
  mkdirSync: (path) => {
    fs.mkdirSync(path);
  },
  renameSync: fs.renameSync,
  linkSync: fs.linkSync,
  unlinkSync: fs.unlinkSync,
  unlink: promisify(fs.unlink),
  rmdirSync: (path) => {
    fs.rmdirSync(path);
  },
  removeTree: (path) => fs.promises.rm(path, { recursive: true }),
  readdir: (path) => fs.promises.readdir(path, { withFileTypes: true }),
};
