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

/** By extension; null if it is no text to import. */
export function formatOfPath(path: string): ImportFormat | null {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase();
  return FORMATS.get(extension ?? '') ?? null;
}

/** For text without a file name. */
export function formatOfText(text: string): ImportFormat {
  return /^\uFEFF?\s*[[{]/.test(text) && !/^\uFEFF?\s*\[\[/.test(text) ? 'json' : 'markdown';
}

const READERS = { markdown: readMarkdown, csv: readCsv, json: readJson };

/**
 * Notes and what could not become one, in turn, so that long texts can be read with pauses: a step takes some tens of
 * milliseconds.
 */
export function* readSource(source: SourceText, format: ImportFormat): Generator<ReadItem> {
  for (const item of READERS[format](source)) yield bounded(item);
}
