import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let folder: string | null = null;

/** The folder of translated guests for all tests of this process: translating one takes seconds. */
export function translations(): string {
  if (folder !== null) return folder;
  const made = mkdtempSync(join(tmpdir(), 'guests-'));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  folder = made;
  return made;
}

/** A service with this data folder uses the translations of the process. */
export function shareTranslations(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true });
  symlinkSync(translations(), join(dataDir, 'guests'));
}
