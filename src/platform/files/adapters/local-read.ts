import { constants, type Stats } from 'node:fs';
import { sha256Hex, streamingSha256 } from '../../../kit/crypto.ts';
import type { FileDigest, FileStat } from '../files.ts';
import type { Syscalls } from '../syscalls.ts';
import { notAFile, tooLarge } from './local-errors.ts';

/** From this size on, reading and writing go to the thread pool. */
export const largeFile = 256 * 1024;

// A pipe would block the open without O_NONBLOCK; regular files ignore it.
export const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

type ReadCalls = Pick<Syscalls, 'openSync' | 'closeSync' | 'fstatSync' | 'readSync' | 'read'>;

/** `path` is for messages. Throws system errors and `not_a_file`. */
export function readWhole(syscalls: ReadCalls, absolute: string, path: string): Uint8Array {
  const fd = syscalls.openSync(absolute, readFlags);
  try {
    const buffer = bufferFor(syscalls.fstatSync(fd), path);
    let length = 0;
    while (length < buffer.length) {
      const count = syscalls.readSync(fd, buffer, length);
      if (count === 0) break;
      length += count;
    }
    return buffer.subarray(0, length);
  } finally {
    syscalls.closeSync(fd);
  }
}

const pieceSize = 1024 * 1024;

/** Throws as `readWhole` does. All files share one buffer: a new one for each costs as much as reading it. */
export function createDigest(syscalls: ReadCalls) {
  let piece: Buffer | undefined;

  const fill = (fd: number, buffer: Buffer): Buffer => {
    let length = 0;
    for (let count = -1; count !== 0 && length < buffer.length; length += count)
      count = syscalls.readSync(fd, buffer, length);
    return buffer.subarray(0, length);
  };

  return (absolute: string, path: string, headBytes: number): FileDigest => {
    const fd = syscalls.openSync(absolute, readFlags);
    try {
      if (!syscalls.fstatSync(fd).isFile()) throw notAFile(path);
      piece ??= Buffer.allocUnsafeSlow(pieceSize);
      const first = fill(fd, piece);
      if (first.length < pieceSize) return { sha256: sha256Hex(first), head: first.subarray(0, headBytes) };
      const head = Uint8Array.from(first.subarray(0, headBytes));
      const hash = streamingSha256().update(first);
      for (let next = fill(fd, piece); next.length > 0; next = fill(fd, piece)) hash.update(next);
      return { sha256: hash.digest('hex'), head };
    } finally {
      syscalls.closeSync(fd);
    }
  };
}

/** Like `readWhole`, but without blocking the thread while a large file is read; `too_large` beyond `most` bytes. */
export async function readWholeFreely(
  syscalls: ReadCalls,
  absolute: string,
  path: string,
  most?: number,
): Promise<Uint8Array> {
  const fd = syscalls.openSync(absolute, readFlags);
  try {
    const buffer = bufferFor(syscalls.fstatSync(fd), path, most);
    let length = 0;
    while (length < buffer.length) {
      const large = buffer.length > largeFile;
      const count = large ? await syscalls.read(fd, buffer, length) : syscalls.readSync(fd, buffer, length);
      if (count === 0) break;
      length += count;
    }
    return buffer.subarray(0, length);
  } finally {
    syscalls.closeSync(fd);
  }
}

export function fileStat(path: string, stats: Stats): FileStat {
  const { size, mtimeMs, ctimeMs, ino } = stats;
  return { path, size, mtimeMs, ctimeMs, ino };
}

function bufferFor(stats: Stats, path: string, most = Number.POSITIVE_INFINITY): Uint8Array {
  if (!stats.isFile()) throw notAFile(path);
  if (stats.size > most) throw tooLarge(path, most);
  // Outside the shared pool: callers may transfer the bytes to another thread.
  return Buffer.allocUnsafeSlow(stats.size);
}
