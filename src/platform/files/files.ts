import type { Readable } from 'node:stream';
import type { BlobPlace } from '../blobs/blobs.ts';
import type { PrivateEndpoints } from '../outgoing/outgoing.ts';

/**
 * The content folder of one project.
 *
 * Every path is relative to the root, `/`-separated and spelled as on disk; `''` stands for the root where a folder is
 * asked for. Symbolic links are neither content nor a way: an operation on one is `not_a_file`, one through a linked
 * folder is `outside`. A root that is a link itself is followed.
 */

export interface FileStat {
  path: string;
  /** bytes */
  size: number;
  mtimeMs: number;
  ctimeMs: number;
  ino: number;
}

/** A file held open: what is read is what `stat` tells of, whatever becomes of its name meanwhile. */
export interface OpenFile {
  stat: FileStat;
  /** The bytes from `start` to `end`, both included; the whole file unless said. Once, and it closes the file. */
  stream(range?: { start: number; end: number }): Readable;
  /** For a file that nobody streamed. */
  close(): void;
}

/** What is written: whole, or piece by piece where it is too large to hold. */
export type FileContent = Uint8Array | string | AsyncIterable<Uint8Array>;

export interface FolderEntry {
  name: string;
  kind: 'file' | 'folder' | 'other';
}

/** What a worker thread needs to open the same store. */
export type FileStoreDescription =
  | { kind: 'local'; root: string }
  /** Objects whose keys begin with `prefix`; whoever may be reached under the address is the installation's to say. */
  | { kind: 'blob'; place: BlobPlace; prefix: string; privateEndpoints: PrivateEndpoints }
  | { kind: 'memory' };

export interface WriteOptions {
  /** Fails with `exists` instead of replacing what is there, also when two writers race. */
  ifAbsent?: boolean;
  /**
   * Fails with `changed` unless the file has these bytes in the moment in which it is replaced, or is the one that this
   * stat tells of; with `not_found` when there is none. On a disk what an editor saves to it meanwhile comes back, too.
   */
  onlyOver?: Uint8Array | FileStat;
  /** Fails with `exists` where the folder that is to hold it is there already. */
  newFolder?: boolean;
}

/** One of many files that are written together. */
export interface FileWrite extends WriteOptions {
  path: string;
  content: Uint8Array | string;
}

/** Every method throws `FilesError` alone. */
export interface FileStore {
  describe(): Promise<FileStoreDescription>;
  /** Resolves when the root is a folder that can be read and written. */
  probe(): Promise<void>;
  /** Regular files only: anything else is `undefined`. */
  stat(path: string): Promise<FileStat | undefined>;
  read(path: string): Promise<Uint8Array>;
  open(path: string): Promise<OpenFile>;
  /** Where a library that reads files by itself finds this one; undefined for a store that has no such place. */
  locate(path: string): Promise<string | undefined>;
  /**
   * Replaces the file as a whole and makes missing parent folders; resolves when the bytes survive a power cut.
   * The root itself is never made. After an error the old bytes are in place, except that an error of the folder's
   * last sync can leave the new ones. The mode of a replaced file is kept.
   */
  write(path: string, bytes: FileContent, options?: WriteOptions): Promise<FileStat>;
  /**
   * Writes many files, each as `write` would, with what they can share of the waiting for the disk. Resolves to what
   * became of each, in their order: one that fails with a `FilesError` leaves the others alone. No path is named twice.
   */
  writeMany(files: readonly FileWrite[]): Promise<PromiseSettledResult<FileStat>[]>;
  /** Renames a file or folder, making missing parents; `exists` when the target is there. */
  move(from: string, to: string): Promise<void>;
  /** Removes a file, or a folder with everything in it in one step; `not_found` when there is nothing. */
  remove(path: string): Promise<void>;
  /** Removes a file that has these bytes; `changed` when it has others, which stay, `not_found` when there is none. */
  removeOnly(path: string, bytes: Uint8Array): Promise<void>;
  /** Removes a folder unless anything is in it, hidden files included. Resolves to whether it went. */
  removeEmptyFolder(folder: string): Promise<boolean>;
  /** In no order; own temporary files are left out. */
  list(folder: string): Promise<FolderEntry[]>;
  /** Removes what a crash left behind more than an hour ago; resolves to the number of removed entries. */
  cleanTemporaryFiles(): Promise<number>;
}

export interface SkippedEntry {
  path: string;
  reason: 'symlink' | 'not_a_regular_file' | 'unreadable' | 'bad_name';
}

/**
 * A part of a walk. A folder named in `skipped` as `unreadable` was not listed: what was known below it stays known,
 * and so does an `unreadable` file.
 */
export interface ScanBatch {
  files: FileStat[];
  skipped: SkippedEntry[];
}

export interface FileDigest {
  sha256: string;
  /** Valid until the next file is read. */
  head: Uint8Array;
}

/** Synchronous reading for a worker thread. */
export interface FileScanner {
  /**
   * Walks the content (dot entries and `node_modules` are none) below `under`, default the root, in no order.
   * Throws `root_missing` when the root cannot be listed; a missing `under` is an empty walk.
   */
  scan(options?: { under?: string }): Iterable<ScanBatch>;
  readSync(path: string): Uint8Array;
  /** What a file of any size is, without holding it: its hash, and its first `headBytes` bytes. */
  digestSync(path: string, headBytes: number): FileDigest;
  /** Regular files only: anything else is `undefined`. */
  statSync(path: string): FileStat | undefined;
  /** False as well when the root is not a folder or cannot be listed. */
  rootExists(): boolean;
}

/** Reading for a worker thread where content lies behind a network. */
export interface RemoteScanner {
  /** All content at or below the roots, like a walk; rejects where any part of it cannot be listed. */
  list(roots?: readonly string[]): Promise<ScanBatch>;
  read(path: string): Promise<Uint8Array>;
  /** What a file of any size is, without holding it: its hash, and its first `headBytes` bytes. */
  digest(path: string, headBytes: number): Promise<FileDigest>;
  close(): Promise<void>;
}

export type FilesErrorCode =
  | 'bad_path'
  | 'changed'
  | 'exists'
  | 'io'
  | 'no_permission'
  | 'no_space'
  | 'not_a_file'
  | 'not_a_folder'
  | 'not_found'
  | 'outside'
  | 'read_only'
  | 'root_missing';

/** `message` is meant for people, names the path as given and holds no absolute path. */
export class FilesError extends Error {
  readonly code: FilesErrorCode;
  readonly path: string;

  constructor(code: FilesErrorCode, path: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'FilesError';
    this.code = code;
    this.path = path;
  }
}
