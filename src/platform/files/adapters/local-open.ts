import fs from 'node:fs';
import type { OpenFile } from '../files.ts';
import type { Syscalls } from '../syscalls.ts';
import { notAFile } from './local-errors.ts';
import { fileStat, readFlags } from './local-read.ts';

/** Bytes read at a time. Larger buffers are allocated by the system one by one, which costs more than the extra calls. */
const PIECE = 64 * 1024;

/** `path` is for messages. Throws system errors and `not_a_file`. */
export function openFile(
  syscalls: Pick<Syscalls, 'openSync' | 'closeSync' | 'fstatSync'>,
  absolute: string,
  path: string,
): OpenFile {
  const fd = syscalls.openSync(absolute, readFlags);
  try {
    const stats = syscalls.fstatSync(fd);
    if (!stats.isFile()) throw notAFile(path);
    return {
      stat: fileStat(path, stats),
      stream: ({ start, end } = { start: 0, end: stats.size - 1 }) =>
        // An empty file has no last byte to name.
        fs.createReadStream('', { fd, start, ...(end >= start && { end }), highWaterMark: PIECE }),
      close: () => syscalls.closeSync(fd),
    };
  } catch (error) {
    syscalls.closeSync(fd);
    throw error;
  }
}
