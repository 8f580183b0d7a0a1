import { decodeUtf8 } from '../content/frontmatter/index.ts';
import { cutWithin } from '../text/cut.ts';
import {
  type CanonProblem,
  type CanonSource,
  checkCanon,
  countsOf,
  type PlacedFinding,
  placed,
  readSettingsFile,
  sortOut,
} from '../world/canon/index.ts';
import { readContent } from '../world/scan/index.ts';
import { contentJson } from '../world/texts/index.ts';
import { type ContentFolder, openContentFolder } from './content-folder.ts';
import { type CliContext, EXIT, type ExitCode, writeJson, writeLine, yieldToSignals } from './context.ts';
import { projectIdOf, settings } from './project.ts';
import { shownPath } from './shown-path.ts';
import { count, createProgress, styled } from './terminal.ts';

interface Report {
  entities: number;
  calendar: string;
  kinds: ReturnType<typeof countsOf>;
  findings: PlacedFinding[];
  accepted: (PlacedFinding & { reason: string })[];
  omitted: number;
  problems: CanonProblem[];
}

/** Checks the content folder's canon without a database and prints both sides of each finding with file and line. */
export async function canon(
  context: CliContext,
  options: { project?: string; json?: boolean },
): Promise<ExitCode> {
  const folder = await openContentFolder(settings(context), projectIdOf(options));
  const report = await check(context, folder);
  if (options.json) writeJson(context, report);
  else print(context, folder.root, report);
  return report.findings.length + report.omitted === 0 ? EXIT.ok : EXIT.findings;
}

async function check(context: CliContext, folder: ContentFolder): Promise<Report> {
  const { set, files } = folder;
  const file = await readSettingsFile(files);
  const progress = createProgress(context);
  const { calendar } = file.settings;
  const run = await checkCanon(set.types, calendar, entitiesOf(context, folder), {
    signal: context.stop,
    onProgress: (read) => progress.show(`${count(read, 'entity', 'entities')} read`),
  });
  progress.clear();
  const sorted = sortOut(run.findings, file);
  const textsOf = async (paths: readonly string[]) => {
    const texts = new Map<string, string>();
    for (const path of paths) {
      const decoded = decodeUtf8(await files.read(path));
      if (decoded.ok) texts.set(path, decoded.text);
    }
    return texts;
  };
  const accepted = await placed(sorted.accepted, textsOf);
  return {
    entities: run.entities,
    calendar: calendar.name,
    kinds: countsOf(sorted, file),
    findings: await placed(sorted.open, textsOf),
    accepted: accepted.map((finding) => ({
      ...finding,
      reason: sorted.reasons.get(finding.finding_id) ?? '',
    })),
    omitted: run.omitted,
    problems: [...file.problems, ...run.problems],
  };
}

async function* entitiesOf(
  context: CliContext,
  { scanner, set, largestText }: ContentFolder,
): AsyncGenerator<CanonSource[]> {
  for (const items of readContent({ scanner, set, largestText, under: null, markdownOnly: true })) {
    await yieldToSignals(context);
    yield items.flatMap(({ state }) =>
      state === null || state.status === 'archived'
        ? []
        : [{ entity_type: state.entity_type, path: state.path, json: contentJson(state) }],
    );
  }
}

const STYLES = { error: 'red', warning: 'yellow', info: 'dim' } as const;

function print(context: CliContext, root: string, report: Report): void {
  for (const { file, line, message } of report.problems)
    writeLine(context, `${shownPath(context, root, file)}${line === null ? '' : `:${line}`}: ${message}`);
  for (const { finding_id, severity, message, evidence } of report.findings) {
    writeLine(
      context,
      `${styled(context, STYLES[severity], severity)} ${message} ${styled(context, 'dim', finding_id)}`,
    );
    for (const { file, line, field, value } of evidence)
      writeLine(context, `  ${shownPath(context, root, file)}:${line ?? 1}: ${field}: ${shortened(value)}`);
  }
  const looked = `${count(report.entities, 'entity', 'entities')} looked at, by the calendar '${report.calendar}'`;
  const found = report.findings.length + report.omitted;
  const contradictions = found === 0 ? 'nothing contradicts itself' : count(found, 'finding');
  const accepted = report.accepted.length === 0 ? '' : `, ${report.accepted.length} accepted`;
  writeLine(context, `${looked}: ${contradictions}${accepted}`);
}

function shortened(value: unknown): string {
  return cutWithin(typeof value === 'string' ? value : JSON.stringify(value), 80);
}
