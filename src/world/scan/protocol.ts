import type { TemplateDefinition } from '../../content/template/index.ts';
import type { FileStoreDescription, SkippedEntry } from '../../platform/files/files.ts';
import type { EntityState, ImportItem } from '../texts/index.ts';

/** The scanner's knowledge of a file besides its stat, as bits. */
export const ROW = {
  deleted: 1,
  main: 2,
  /** The file had a problem when it was last read. */
  problem: 4,
  /** Refused for a reason outside the file, so that it must be read again. */
  retry: 8,
} as const;

/** Numbers per row of a page: size, mtime, ctime, inode. */
export const NUMBERS_PER_ROW = 4;

export interface RowsPage {
  paths: string[];
  numbers: Float64Array<ArrayBuffer>;
  flags: Uint8Array<ArrayBuffer>;
}

/** `entities` stands for possible main files of entities, which depend on their template. */
export type Reread = 'none' | 'entities' | 'all';

export interface ScanRequest {
  under: readonly string[] | null;
  /** Files to read although their stat is unchanged. */
  reread: Reread;
}

export interface RecycledFolder {
  folder: string;
  path: string;
}

/** Most files waiting for an id that one scan looks at again; usually there are only a few. */
export const MOST_WAITING = 200;

/** `loose` is a text directly in a type's folder, where no entity can be. */
export interface SkippedPath {
  path: string;
  reason: SkippedEntry['reason'] | 'loose';
}

/** The result of a walk besides files to read. Lists of problems are bounded, their totals are not. */
export interface ScanSummary {
  files: number;
  changed: number;
  unchanged: number;
  /** Known paths that are gone, except below folders that could not be listed. */
  vanished: string[];
  skipped: SkippedPath[];
  skippedTotal: number;
  /** Skipped because the system denies access. */
  unreadable: string[];
  /** Unchanged files with a known problem. */
  problems: string[];
  problemsTotal: number;
  unknownFolders: string[];
  recycled: RecycledFolder[];
  rootEmpty: boolean;
}

export interface NumberedText {
  definition: number;
  path: string;
  text: string;
}

export type ToScanner =
  | { type: 'open'; project: string; files: FileStoreDescription; largestText: number }
  | { type: 'close'; project: string }
  | { type: 'rows'; project: string; page: RowsPage }
  | { type: 'templates'; project: string; definitions: TemplateDefinition[] }
  | { type: 'scan'; project: string; run: string; request: ScanRequest }
  | { type: 'read'; run: string; definitions: TemplateDefinition[]; texts: NumberedText[] }
  | { type: 'ack'; run: string }
  | { type: 'cancel'; run: string };

export type FromScanner =
  /** The end of a walk. Changed files follow it; files of a first import come before it. */
  | { type: 'walked'; run: string; summary: ScanSummary }
  | { type: 'items'; run: string; items: ImportItem[] }
  | { type: 'read'; run: string; states: (EntityState | undefined)[] }
  | { type: 'done'; run: string }
  | { type: 'failed'; run: string; code: string; message: string };
