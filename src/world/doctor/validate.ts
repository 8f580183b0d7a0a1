import type { SkippedPath } from '../scan/index.ts';
import { definitionProblems, type TemplateSet } from '../templates/index.ts';
import { folderNameOf, type ImportItem } from '../texts/index.ts';
import type { ContentFinding } from './content-finding.ts';
import { type ContentSource, readContent } from './read-content.ts';
import { createRuleCheck } from './rule-findings.ts';

export interface ContentReport {
  /** Entities' files that were read, good ones and bad ones. */
  entities: number;
  templates: number;
  findings: ContentFinding[];
  /** What is no content: links, devices, names that cannot be kept, texts beside the folders of entities. */
  skipped: SkippedPath[];
  /** Folders with texts that belong to no type. */
  unknown_folders: string[];
}

type Source = Omit<ContentSource, 'set' | 'markdownOnly'> & { set: TemplateSet };

/** Hears how many files were read so far; the reading waits for it, so that it may stop the work by throwing. */
export type OnProgress = (files: number) => Promise<void>;

/** Looks through templates, rules and entities without a database. */
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
  rule_id: null,
});

function unreadable({ record }: ImportItem): ContentFinding {
  const { reason, line, column } = JSON.parse(record.problem ?? '{}') as {
    reason: string;
    line: number;
    column: number;
  };
  return { path: record.path, line, column, severity: 'error', message: reason, rule_id: null };
}

/** Tells files that claim an id which another has already; whoever lies in the folder of its id is in the right. */
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
      const message = `the id '${entity_id}' belongs to ${owner} already`;
      return [{ path: loser, line: 1, column: 1, severity: 'error', message, rule_id: null }];
    },
  };
}
