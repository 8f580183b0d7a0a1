import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Job } from './supervised.ts';

export interface Output {
  write(job: Job, line: string): void;
  close(): Promise<void>;
}

/** Writes the output of each process to `<name>/output.log` below a folder, beside the process's own logs. */
export function createOutput(folder: string): Output {
  const files = new Map<string, WriteStream>();
  const open = (name: string): WriteStream => {
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
    const file = createWriteStream(join(folder, name, 'output.log'), { mode: 0o600 });
    file.on('error', () => {});
    files.set(name, file);
    return file;
  };
  return {
    write: ({ name }, line) => void (files.get(name) ?? open(name)).write(`${line}\n`),
    close: async () => {
      await Promise.all(
        [...files.values()].map((file) => new Promise<void>((done) => file.end(() => done()))),
      );
    },
  };
}
