import type { TemplateDefinition } from '../../content/template/index.ts';
import type { FileStoreDescription, SkippedEntry } from '../../platform/files/files.ts';
import type { EntityState, ImportItem } from '../texts/index.ts';

/** What the scanner knows of a file besides its stat, as bits. */
export const ROW = {
  deleted: 1,
  /** The main file of an entity. */
  main: 2,
  /** Something was wrong with it when it was read. */
  problem: 4,
  /** Refused for a reason that lies outside it, so that it is worth reading again. */
  retry: 8,
} as const;

/** Numbers of a row in a page: size, mtime, ctime, inode. */
export const NUMBERS_PER_ROW = 4;

/** A part of the file index, packed to cross threads cheaply. */
export interface RowsPage {
  paths: string[];
  numbers: Float64Array<ArrayBuffer>;
  flags: Uint8Array<ArrayBuffer>;
}

/** `entities`: those that may be the file of an entity, which hang on its template. */
export type Reread = 'none' | 'entities' | 'all';

export interface ScanRequest {
  /** Files and folders to look at; null for everything. */
  under: readonly string[] | null;
  /** Which files are read though their stat is the same. */
  reread: Reread;
}

export interface RecycledFolder {
  folder: string;
  /** The first markdown file in it. */
  path: string;
}

/** Files that wait for an id are no more than a few, those beyond a plan's limit are many. */
export const MOST_WAITING = 200;

/** `loose`: a text in a type's folder itself, where no entity is. */
export interface SkippedPath {
  path: string;
  reason: SkippedEntry['reason'] | 'loose';
}

/** What a walk found besides files to read. Lists of troubles are bounded, their totals are not. */
export interface ScanSummary {
  files: number;
  /** How many files are to be read. */
  changed: number;
  /** Entities whose file is as it was. */
  unchanged: number;
  /** Known paths that are gone; nothing below a folder that could not be listed. */
  vanished: string[];
  skipped: SkippedPath[];
  skippedTotal: number;
  /** Of what was skipped, the paths that the system does not let anybody read. */
  unreadable: string[];
  /** Unchanged files that something is wrong with. */
  problems: string[];
  problemsTotal: number;
  unknownFolders: string[];
  recycled: RecycledFolder[];
  /** The project's folder holds nothing at all. */
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
  /** Texts that are to become files, each with the number of its definition. */
  | { type: 'read'; run: string; definitions: TemplateDefinition[]; texts: NumberedText[] }
  | { type: 'ack'; run: string }
  | { type: 'cancel'; run: string };

export type FromScanner =
  /** The walk is over. What follows are files that it found changed; before it come those of a first import. */
  | { type: 'walked'; run: string; summary: ScanSummary }
  | { type: 'items'; run: string; items: ImportItem[] }
  | { type: 'read'; run: string; states: (EntityState | undefined)[] }
  | { type: 'done'; run: string }
  | { type: 'failed'; run: string; code: string; message: string };
