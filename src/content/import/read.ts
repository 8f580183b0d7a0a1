import { bounded } from './bounds.ts';
import { readCsv } from './read-csv.ts';
import { readJson } from './read-json.ts';
import { readMarkdown } from './read-markdown.ts';
import type { ImportFormat, ReadItem, SourceText } from './types.ts';

const FORMATS: ReadonlyMap<string, ImportFormat> = new Map([
  ['md', 'markdown'],
  ['markdown', 'markdown'],
  ['txt', 'markdown'],
  ['csv', 'csv'],
  ['tsv', 'csv'],
  ['json', 'json'],
]);

/** The format that a path's extension names; null if it is no text to import. */
export function formatOfPath(path: string): ImportFormat | null {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase();
  return FORMATS.get(extension ?? '') ?? null;
}

/** The format of a text that came without a name. */
export function formatOfText(text: string): ImportFormat {
  return /^\uFEFF?\s*[[{]/.test(text) && !/^\uFEFF?\s*\[\[/.test(text) ? 'json' : 'markdown';
}

const READERS = { markdown: readMarkdown, csv: readCsv, json: readJson };

/**
 * The notes of a text and what of it is none, one after the other, so that long texts can be read with pauses: one step
 * takes some tens of milliseconds.
 */
export function* readSource(source: SourceText, format: ImportFormat): Generator<ReadItem> {
  for (const item of READERS[format](source)) yield bounded(item);
}
