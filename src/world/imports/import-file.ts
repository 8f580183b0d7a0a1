import { formatOfPath } from '../../content/import/index.ts';

export interface ImportFile {
  /** Relative, with `/`. '' for pasted text. */
  path: string;
  bytes: Uint8Array;
}

/**
 * `files` counts everything, `notes` the future entities, `facts` their properties and broken links, all named in the report;
 * `factsAtOnce` applies if the caller waits for the result. The others are bytes.
 */
export const IMPORT_LIMITS = {
  files: 20_000,
  notes: 20_000,
  facts: 1_000_000,
  factsAtOnce: 100_000,
  fileBytes: 50 * 1024 * 1024,
  bytes: 256 * 1024 * 1024,
} as const;

/** Returns the reason why a name is not a path in a vault, such as a drive or a way out of it; null if it is one. */
export function pathFault(path: string): string | null {
  if (path === '' || path.length > 1_000) return 'its name is empty or longer than 1,000 characters';
  if (/[\0\\]/.test(path) || /^[a-z]:/i.test(path) || path.startsWith('/'))
    return 'its name is no relative path';
  return path.split('/').some((part) => part === '..' || part === '.')
    ? 'its name leads out of the folder'
    : null;
}

/** Only notes: tables and JSON hold many and have limits of their own. */
export const isTooLargeText = (path: string, bytes: number, largestText: number): boolean =>
  formatOfPath(path) === 'markdown' && bytes > largestText;

/** Files that programs leave beside people's notes: settings, caches, repositories. */
export const isHidden = (path: string): boolean =>
  path.split('/').some((part) => part.startsWith('.') || part === '__MACOSX' || part === 'node_modules');
