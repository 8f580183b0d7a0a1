import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes a file in one step, as editors do: whoever watches its folder never sees half of it. */
export function saveFile(path: string, content: string | Uint8Array): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  // Hidden, so that it is no file to a watcher.
  const complete = join(folder, '.saving');
  writeFileSync(complete, content);
  renameSync(complete, path);
}
