import { definitionProblems, type TemplateSet } from '../definitions/index.ts';
import { type ContentSource, readContent, type SkippedPath } from '../scan/index.ts';
import { folderNameOf, type ImportItem } from '../texts/index.ts';
import type { ContentFinding } from './findings.ts';
import { createRuleCheck } from './rule-check.ts';

export interface ContentReport {
  entities: number;
  templates: number;
  findings: ContentFinding[];
  /** Entries that are not content: links, devices, impossible names, texts beside the folders of entities. */
  skipped: SkippedPath[];
  /** Folders with texts that belong to no type. */
  unknown_folders: string[];
}

type Source = Omit<ContentSource, 'set' | 'markdownOnly'> & { set: TemplateSet };

/** Receives the number of files read so far; reading waits for it, so that it can stop the work by throwing. */
export type OnProgress = (files: number) => Promise<void>;

/** Checks templates, rules and entities without a database. */
export async function validateContent(source: Source, onProgress: OnProgress): Promise<ContentReport> {
  const isMeant = isBelow(source.under);
  const report: ContentReport = {
    entities: 0,
    templates: [...source.set.files.keys()].filter(isMeant).length,
    findings: definitionProblems(source.set)
      .filter(({ path }) => isMeant(path))
      .map(templateFinding),
    skipped: [],
    unknown_folders: [],
  };
  const owners = createOwners();
  const rules = createRuleCheck(source);
  const reading = readContent({ ...source, markdownOnly: true });
  let files = 0;
  let step = reading.next();
  for (; !step.done; step = reading.next()) {
    for (const item of step.value) {
      if (item.state === null && item.record.problem === null) continue;
      report.entities += 1;
      const { state } = item;
      report.findings.push(
        ...(state === null ? [unreadable(item)] : rules.check(state)),
        ...owners.claim(item),
      );
    }
    files += step.value.length;
    await onProgress(files);
  }
  report.findings.push(...rules.missing(source.under));
  report.skipped = step.value?.skipped ?? [];
  report.unknown_folders = step.value?.unknownFolders ?? [];
  report.findings.sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
  return report;
}

function isBelow(under: readonly string[] | null): (path: string) => boolean {
  if (under === null) return () => true;
  return (path) => under.some((root) => path === root || path.startsWith(`${root}/`));
}

const templateFinding = (problem: TemplateSet['problems'][number]): ContentFinding => ({
  path: problem.path,
  line: problem.line ?? 1,
  column: problem.column ?? 1,
  severity: problem.severity,
  message: problem.reason,
  kind: null,
});

function unreadable({ record }: ImportItem): ContentFinding {
  const { reason, line, column } = JSON.parse(record.problem ?? '{}') as {
    reason: string;
    line: number;
    column: number;
  };
  return { path: record.path, line, column, severity: 'error', message: reason, kind: null };
}

/** Finds files with an id that another file has already; a file in the folder of its id is the rightful one. */
function createOwners() {
  const owners = new Map<string, string>();
  return {
    claim({ state }: ImportItem): ContentFinding[] {
      if (state === null) return [];
      const { entity_type, entity_id, path } = state;
      const key = `${entity_type}/${entity_id}`;
      const other = owners.get(key);
      const [owner, loser] = folderNameOf(path) === entity_id ? [path, other] : [other ?? path, path];
      owners.set(key, owner);
      if (loser === undefined || loser === owner) return [];
      const message = `the id '${entity_id}' already belongs to ${owner}`;
      return [{ path: loser, line: 1, column: 1, severity: 'error', message, kind: null }];
    },
  };
}
