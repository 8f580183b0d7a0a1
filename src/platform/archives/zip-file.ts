import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import {
  type Entry,
  fromRandomAccessReaderPromise,
  type Options,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl';

const KIND = 0o170000;
const REGULAR = 0o100000;
const FOLDER = 0o040000;
/** An attribute of Windows. */
const IS_REPARSED = 0x400;

/** Opens a zip on disk, which the caller closes. Rejects with a plain error if it is none. */
export async function openZip(path: string, options: Options): Promise<ZipFile> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    return await fromRandomAccessReaderPromise(new DiskReader(path, file), size, {
      ...options,
      autoClose: false,
    });
  } catch (error) {
    await file.close();
    throw error;
  }
}

const NOTHING = Buffer.alloc(0);

/** An entry as it is kept until its turn: what only its reading needs can have 64 kB, and many times as much in memory. */
export function slimEntry(entry: Entry): Entry {
  return Object.assign(entry, {
    extraFields: [],
    extraFieldRaw: NOTHING,
    fileComment: '',
    fileCommentRaw: NOTHING,
    fileNameRaw: NOTHING,
  });
}

/** Unix has the kind in the upper half of the attributes, 0 if it is not given. */
export function isLinkOrDevice({ externalFileAttributes: attributes }: Entry): boolean {
  const kind = (attributes >>> 16) & KIND;
  return ![0, REGULAR, FOLDER].includes(kind) || (attributes & IS_REPARSED) !== 0;
}

/** A place that no file can have is an error of its own: for `fs` it would end the process. */
class DiskReader extends RandomAccessReader {
  readonly #path: string;
  readonly #file: FileHandle;

  constructor(path: string, file: FileHandle) {
    super();
    this.#path = path;
    this.#file = file;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return createReadStream(this.#path, { start, end: end - 1 });
  }

  override read(
    into: Buffer,
    at: number,
    length: number,
    from: number,
    done: (error: Error | null) => void,
  ): void {
    if (from < 0 || !Number.isSafeInteger(from + length)) {
      done(new Error('it refers to a place outside of itself'));
      return;
    }
    this.#file.read(into, at, length, from).then(
      ({ bytesRead }) => done(bytesRead === length ? null : new Error('it ends too early')),
      (error: Error) => done(error),
    );
  }

  override close(done: (error: Error | null) => void): void {
    this.#file.close().then(() => done(null), done);
  }
}
