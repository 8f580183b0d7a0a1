import { existsSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { type ContentFinding, isFault } from '../modules/doctor/content-finding.ts';
import { type ContentReport, validateContent } from '../modules/doctor/validate.ts';
import { SKIP_REASONS } from '../modules/mirror/report.ts';
import { type ContentFolder, openContentFolder } from './content-folder.ts';
import { breathe, type CliContext, CommandError, EXIT, type ExitCode, say, sayJson } from './context.ts';
import { projectIdOf, settings } from './project.ts';
import { shownPath } from './shown-path.ts';
import { count, createProgress, inked } from './terminal.ts';

/** Reads the content folder and prints each finding as `file:line:column: message`. */
export async function validate(
  context: CliContext,
  what: readonly string[],
  options: { project?: string; json?: boolean },
): Promise<ExitCode> {
  const folder = await openContentFolder(settings(context), projectIdOf(options));
  const under = what.length === 0 ? null : what.flatMap((word) => meant(context, folder, word));
  const progress = createProgress(context);
  const report = await validateContent({ ...folder, under }, async (files) => {
    await breathe(context);
    progress.show(`${count(files, 'file')} read`);
  });
  progress.clear();
  if (options.json) sayJson(context, report);
  else print(context, folder.root, report);
  return report.findings.some(isFault) ? EXIT.findings : EXIT.ok;
}

/** What a word names inside the content folder: a type's folder and template, or a path. */
function meant(context: CliContext, { root, set }: ContentFolder, word: string): string[] {
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

function print(context: CliContext, root: string, report: ContentReport): void {
  for (const { path, line, column, severity, message, rule_id } of report.findings) {
    const place = `${shownPath(context, root, path)}:${line}:${column}:`;
    const rule = rule_id === null ? '' : inked(context, 'dim', ` [${rule_id}]`);
    say(context, `${inked(context, 'bold', place)} ${wordOf(context, severity)}${message}${rule}`);
  }
  for (const { path, reason } of report.skipped) {
    const place = shownPath(context, root, path);
    say(context, inked(context, 'dim', `skipped ${place}: ${SKIP_REASONS[reason]}`));
  }
  if (report.unknown_folders.length > 0)
    say(context, inked(context, 'dim', `no template's folder: ${report.unknown_folders.join(', ')}`));
  const read = `${count(report.entities, 'entity', 'entities')} and ${count(report.templates, 'template')} read`;
  const faults = report.findings.filter(isFault).length;
  const others = report.findings.length - faults;
  const told = faults === 0 ? 'no faults' : count(faults, 'fault');
  say(
    context,
    `${read}: ${told}${others === 0 ? '' : `, ${count(others, 'warning or hint', 'warnings and hints')} of rules`}`,
  );
}

function wordOf(context: CliContext, severity: ContentFinding['severity']): string {
  if (severity === 'warning') return `${inked(context, 'yellow', 'warning:')} `;
  return severity === 'info' ? `${inked(context, 'dim', 'hint:')} ` : '';
}
