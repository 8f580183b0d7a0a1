import type { TypeFolders } from '../../content/paths/index.ts';
import { systemClock } from '../../kit/clock.ts';
import type { FileScanner } from '../../platform/files/files.ts';
import type { ImportItem } from '../texts/index.ts';
import type { ScanSummary } from './protocol.ts';
import { createReplica } from './replica.ts';
import { scanProject } from './scan.ts';

export interface ContentSource {
  scanner: FileScanner;
  set: { byFolder: TypeFolders };
  largestText: number;
  under: readonly string[] | null;
  /** True to read only markdown; assets are neither opened nor listed. */
  markdownOnly?: boolean;
}

/** Reads a content folder as the mirror does, but without a database. Returns the summary of the walk. */
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
