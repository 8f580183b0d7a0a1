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

export interface FolderEntry {
  name: string;
  kind: 'file' | 'folder' | 'other';
}

/** What a worker thread needs to open the same store. */
export type FileStoreDescription = { kind: 'local'; root: string } | { kind: 'memory' };

export interface WriteOptions {
  /** Fails with `exists` instead of replacing what is there, also when two writers race. */
  ifAbsent?: boolean;
}

/** Every method throws `FilesError` alone. */
export interface FileStore {
  readonly kind: FileStoreDescription['kind'];
  describe(): FileStoreDescription;
  /** Resolves when the root is a folder that can be read and written. */
  probe(): Promise<void>;
  /** Regular files only: anything else is `undefined`. */
  stat(path: string): Promise<FileStat | undefined>;
  read(path: string): Promise<Uint8Array>;
  /**
   * Replaces the file as a whole and makes missing parent folders; resolves when the bytes survive a power cut.
   * The root itself is never made. After an error the old bytes are in place, except that an error of the folder's
   * last sync can leave the new ones. The mode of a replaced file is kept.
   */
  write(path: string, bytes: Uint8Array | string, options?: WriteOptions): Promise<FileStat>;
  /** Renames a file or folder, making missing parents; `exists` when the target is there. */
  move(from: string, to: string): Promise<void>;
  /** Removes a file, or a folder with everything in it in one step; `not_found` when there is nothing. */
  remove(path: string): Promise<void>;
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

/** Synchronous reading for a worker thread. */
export interface FileScanner {
  /**
   * Walks the content (dot entries and `node_modules` are none) below `under`, default the root, in no order.
   * Throws `root_missing` when the root cannot be listed; a missing `under` is an empty walk.
   */
  scan(options?: { under?: string }): Iterable<ScanBatch>;
  readSync(path: string): Uint8Array;
  /** The same bytes piece by piece, for files too large to hold; a piece is valid until the next one is taken. */
  chunksSync(path: string): Iterable<Uint8Array>;
  /** Regular files only: anything else is `undefined`. */
  statSync(path: string): FileStat | undefined;
  /** False as well when the root is not a folder or cannot be listed. */
  rootExists(): boolean;
}

export type FilesErrorCode =
  | 'bad_path'
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
