import { open } from 'node:fs/promises';

const BLOCK = 64 * 1024;
const LINE_END = 0x0a;
/** A longer line is not ours; it is returned in pieces. */
const LONGEST_LINE = 1024 * 1024;

/** The lines of a file from the last to the first, read block by block. A missing file has none. */
export async function* linesBackwards(path: string): AsyncGenerator<string> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (file === null) return;
  try {
    let position = (await file.stat()).size;
    let rest = Buffer.alloc(0);
    while (position > 0) {
      const length = Math.min(BLOCK, position);
      position -= length;
      const block = Buffer.alloc(length);
      const { bytesRead } = await file.read(block, 0, length, position);
      rest = Buffer.concat([block.subarray(0, bytesRead), rest]);
      const first = rest.length > LONGEST_LINE ? 0 : rest.indexOf(LINE_END) + 1;
      if (first === 0 && rest.length <= LONGEST_LINE) continue;
      yield* splitBackwards(rest.subarray(first));
      rest = rest.subarray(0, Math.max(0, first - 1));
    }
    yield* splitBackwards(rest);
  } finally {
    await file.close();
  }
}

function* splitBackwards(bytes: Buffer): Generator<string> {
  const lines = bytes.toString('utf8').split('\n');
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const line = lines[index];
    if (line !== undefined && line !== '') yield line;
  }
}
