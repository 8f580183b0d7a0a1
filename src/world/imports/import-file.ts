import { formatOfPath } from '../../content/import/index.ts';

/** A file that is imported: notes, tables, and what notes show. */
export interface ImportFile {
  /** Relative, with `/`. '' for pasted text. */
  path: string;
  bytes: Uint8Array;
}

/**
 * What one import may hold. `files` counts everything, `notes` what becomes entities, `facts` their properties and the
 * links that lead to nothing, each of which the report names; `factsAtOnce` where the caller waits for all of it. The
 * others are bytes.
 */
export const IMPORT_LIMITS = {
  files: 20_000,
  notes: 20_000,
  facts: 1_000_000,
  factsAtOnce: 100_000,
  fileBytes: 50 * 1024 * 1024,
  bytes: 256 * 1024 * 1024,
} as const;

/** Why a name cannot be a place in a vault: it leads out of it, or means a drive; null for one that can. */
export function pathFault(path: string): string | null {
  if (path === '' || path.length > 1_000) return 'its name is empty or longer than 1,000 characters';
  if (/[\0\\]/.test(path) || /^[a-z]:/i.test(path) || path.startsWith('/'))
    return 'its name is no relative path';
  return path.split('/').some((part) => part === '..' || part === '.')
    ? 'its name leads out of the folder'
    : null;
}

/** Whether a file is a note that is too large to become an entity's file. Tables and JSON hold many, and have their own limits. */
export const isTooLargeText = (path: string, bytes: number, largestText: number): boolean =>
  formatOfPath(path) === 'markdown' && bytes > largestText;

/** Files that programs leave beside what people write: settings, caches, repositories. */
export const isHidden = (path: string): boolean =>
  path.split('/').some((part) => part.startsWith('.') || part === '__MACOSX' || part === 'node_modules');
