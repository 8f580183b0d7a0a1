import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;

export const secretPath = (dataDir: string, file: string): string => join(dataDir, 'secrets', file);

/** Readable by its owner alone. Returns true if it was missing. */
export function provisionFolder(dataDir: string): boolean {
  return mkdirSync(dataDir, { recursive: true, mode: 0o700 }) !== undefined;
}

/** Null if no earlier start generated one. */
export function readSecret(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : null;
}

function writeDurably(path: string, text: string): void {
  const handle = openSync(path, 'wx', 0o600);
  try {
    writeSync(handle, `${text}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * A link from a temporary file makes the secret appear in one step: nobody reads half of it, and one of two starts wins.
 * Returns true if this one did.
 */
export function provisionSecret(path: string, make: () => string): boolean {
  if (existsSync(path)) return false;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    writeDurably(temporary, make());
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}
