import { systemClock } from '../../kit/clock.ts';
import type { FileScanner } from '../../platform/files/files.ts';
import { createReplica, type ScanSummary, scanProject } from '../scan/index.ts';
import type { TemplateSet } from '../templates/index.ts';
import type { ImportItem } from '../texts/index.ts';

export interface ContentSource {
  scanner: FileScanner;
  set: Pick<TemplateSet, 'byFolder'>;
  /** Bytes of a file that is read as text. */
  largestText: number;
  /** Files and folders to read; null for everything. */
  under: readonly string[] | null;
  /** Read markdown alone: assets are neither opened nor named. */
  markdownOnly?: boolean;
}

/**
 * Reads a content folder afresh, as the mirror reads it, without asking what a database knows. Returns what the walk
 * found besides files.
 */
export function* readContent(source: ContentSource): Generator<ImportItem[], ScanSummary | null> {
  const { scanner, set, largestText, under, markdownOnly = false } = source;
  const project = {
    scanner: markdownOnly ? withMarkdownAlone(scanner) : scanner,
    replica: createReplica(),
    folders: set.byFolder,
    largestText,
    now: systemClock.now,
  };
  let summary: ScanSummary | null = null;
  for (const step of scanProject(project, { under, reread: 'all' }, 1)) {
    if ('items' in step) yield step.items;
    else if ('walked' in step) summary = step.walked;
  }
  return summary;
}

const withMarkdownAlone = (scanner: FileScanner): FileScanner => ({
  ...scanner,
  *scan(options) {
    for (const batch of scanner.scan(options))
      yield { ...batch, files: batch.files.filter(({ path }) => /\.md$/i.test(path)) };
  },
});
