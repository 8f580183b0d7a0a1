import { existsSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { SKIP_REASONS } from '../world/mirror/index.ts';
import {
  type ContentFinding,
  type ContentReport,
  isFault,
  UNKNOWN_FIELD,
  validateContent,
} from '../world/validation/index.ts';
import { type ContentFolder, openContentFolder } from './content-folder.ts';
import {
  type CliContext,
  CommandError,
  EXIT,
  type ExitCode,
  writeJson,
  writeLine,
  yieldToSignals,
} from './context.ts';
import { projectIdOf, settings } from './project.ts';
import { shownPath } from './shown-path.ts';
import { count, createProgress, styled } from './terminal.ts';

export interface ValidateOptions {
  project?: string;
  json?: boolean;
  /** Show only errors. */
  errors?: boolean;
  /** Show each warning and hint separately. */
  all?: boolean;
}

/** Prints each error as `file:line:column: message`, then warnings and hints, one line per rule. */
export async function validate(
  context: CliContext,
  what: readonly string[],
  options: ValidateOptions,
): Promise<ExitCode> {
  const folder = await openContentFolder(settings(context), projectIdOf(options));
  const under = what.length === 0 ? null : what.flatMap((word) => pathsOf(context, folder, word));
  const progress = createProgress(context);
  const report = await validateContent({ ...folder, under }, async (files) => {
    await yieldToSignals(context);
    progress.show(`${count(files, 'file')} read`);
  });
  progress.clear();
  const faults = report.findings.filter(isFault);
  const others = options.errors ? [] : report.findings.filter((finding) => !isFault(finding));
  if (options.json) writeJson(context, { ...report, findings: [...faults, ...others].map(shown) });
  else print(context, folder.root, { report, faults, others }, options.all === true);
  return faults.length > 0 ? EXIT.findings : EXIT.ok;
}

const shown = ({ path, line, column, severity, message, kind }: ContentFinding) => ({
  path,
  line,
  column,
  severity,
  message,
  rule_id: kind,
});

/** The paths in the content folder that a word names: a type's folder and template, or a path. */
function pathsOf(context: CliContext, { root, set }: ContentFolder, word: string): string[] {
  const type = set.types.get(word);
  if (type) return [type.folder_name, type.path];
  for (const path of [resolve(context.cwd, word), resolve(root, word)]) {
    const inside = relative(root, path);
    const isInside = !isAbsolute(inside) && inside !== '..' && !inside.startsWith(`..${sep}`);
    if (isInside && inside !== '' && existsSync(path)) return [inside.split(sep).join('/')];
  }
  const types = [...set.types.keys()].join(', ');
  throw new CommandError(`'${word}' is neither a file or folder in ${root} nor a type (${types || 'none'})`);
}

interface Summary {
  report: ContentReport;
  faults: readonly ContentFinding[];
  others: readonly ContentFinding[];
}

function print(context: CliContext, root: string, { report, faults, others }: Summary, all: boolean): void {
  const placeOf = ({ path, line, column }: ContentFinding) =>
    `${shownPath(context, root, path)}:${line}:${column}:`;
  const show = (finding: ContentFinding) => {
    const { severity, message, kind } = finding;
    const rule = kind === null ? '' : styled(context, 'dim', ` [${kind}]`);
    writeLine(
      context,
      `${styled(context, 'bold', placeOf(finding))} ${wordOf(context, severity)}${message}${rule}`,
    );
  };
  faults.forEach(show);
  for (const group of all ? [] : byRule(others)) {
    const [first] = group;
    if (group.length === 1 && first) show(first);
    else if (first) {
      const times = styled(context, 'bold', `${group.length} × ${first.kind}`);
      writeLine(
        context,
        `${wordOf(context, first.severity)}${times}, first ${placeOf(first)} ${first.message}`,
      );
    }
  }
  if (all) others.forEach(show);
  for (const { path, reason } of report.skipped) {
    const place = shownPath(context, root, path);
    writeLine(context, styled(context, 'dim', `skipped ${place}: ${SKIP_REASONS[reason]}`));
  }
  if (report.unknown_folders.length > 0)
    writeLine(context, styled(context, 'dim', `no template's folder: ${report.unknown_folders.join(', ')}`));
  writeLine(context, sumOf({ report, faults, others }, all));
}

function sumOf({ report, faults, others }: Summary, all: boolean): string {
  const read = `${count(report.entities, 'entity', 'entities')} and ${count(report.templates, 'template')} read`;
  const faultCount = faults.length === 0 ? 'no faults' : count(faults.length, 'fault');
  const more =
    others.length === 0 ? '' : `, ${count(others.length, 'warning or hint', 'warnings and hints')}`;
  const isShort = !all && byRule(others).length < others.length;
  return `${read}: ${faultCount}${more}${isShort ? ' (--all prints each)' : ''}`;
}

/** Groups findings by rule: warnings before hints, and the most frequent rules first. */
function byRule(findings: readonly ContentFinding[]): ContentFinding[][] {
  // Each unknown field is a slip of its own.
  const ownWords = ({ kind, message }: ContentFinding) => (kind === UNKNOWN_FIELD ? message : '');
  const groups = Map.groupBy(
    findings,
    (finding) => `${finding.severity} ${finding.kind} ${ownWords(finding)}`,
  );
  const isHint = (group: readonly ContentFinding[]) => (group[0]?.severity === 'info' ? 1 : 0);
  return [...groups.values()].sort((a, b) => isHint(a) - isHint(b) || b.length - a.length);
}

function wordOf(context: CliContext, severity: ContentFinding['severity']): string {
  if (severity === 'warning') return `${styled(context, 'yellow', 'warning:')} `;
  return severity === 'info' ? `${styled(context, 'dim', 'hint:')} ` : '';
}
