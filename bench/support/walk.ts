import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Size and time of every file below a folder, by path. */
export function walk(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else {
        const { size, mtimeMs } = lstatSync(path);
        found.set(path, `${size} ${mtimeMs}`);
      }
    }
  }
  return found;
}

export function milliseconds(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}
