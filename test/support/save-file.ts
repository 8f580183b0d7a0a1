import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** In one step, as editors do: a watcher never sees half a file. */
export function saveFile(path: string, content: string | Uint8Array): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  // Hidden from watchers.
  const complete = join(folder, '.saving');
  writeFileSync(complete, content);
  renameSync(complete, path);
}
