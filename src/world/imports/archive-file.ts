import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';

/** A zip on disk. A place that no file can have is an error of its own: for `fs` it would end the process. */
export class ArchiveFile extends RandomAccessReader {
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
