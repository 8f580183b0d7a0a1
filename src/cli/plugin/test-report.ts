import type { GuestShape } from '../../platform/guests/guests.ts';
import { type CliContext, writeLine } from '../context.ts';
import { columns, count, styled } from '../terminal.ts';
import { changeLine } from './field-changes.ts';
import type { CallFailure, CallTimes, EntityOutcome, GuestRun } from './guest-run.ts';
import { type Problem, printProblems } from './problems.ts';
import type { TestHost } from './test-host.ts';

export interface GuestReport extends Pick<GuestShape, 'exports'> {
  content: string;
  entities: EntityOutcome[];
  times: ReturnType<GuestRun['times']>;
  failures: GuestRun['failures'];
  /** It broke limits so often that a service would have disabled it. */
  gave_up: boolean;
  log: TestHost['lines'];
  would_do: string[];
}

export interface PluginReport {
  problems: Problem[];
  /** Null for a plugin without one, and for one with errors. */
  guest: GuestReport | null;
}

/** Lines of the guest's log, and of what it would have done. */
const MOST_LINES = 50;

export function printReport(context: CliContext, { problems, guest }: PluginReport): void {
  const say = (line: string) => writeLine(context, line);
  printProblems(context, problems);
  if (problems.length === 0) say('plugin.json: no problems');
  if (guest === null) return;
  for (const outcome of guest.entities) printEntity(context, outcome);
  for (const failure of guest.failures) say(`${styled(context, 'red', 'failed')} ${failureText(failure)}`);
  if (guest.gave_up)
    say(styled(context, 'red', 'It broke limits so often that a service would disable it now.'));
  printSome(
    context,
    'Its log:',
    guest.log.map(({ level, message }) => `${level}: ${message}`),
  );
  printSome(context, 'Not done, since this is a test:', guest.would_do);
  for (const line of columns(guest.times.map(timeCells))) say(line);
  say(sumOf(guest));
}

function printEntity(context: CliContext, { entity, findings, changes }: EntityOutcome): void {
  if (findings.length === 0 && changes.length === 0) return;
  writeLine(context, styled(context, 'bold', entity));
  for (const { severity, field, message } of findings)
    writeLine(context, `  ${severity}: ${field === null ? '' : `${field}: `}${message}`);
  for (const change of changes) writeLine(context, `  would save ${changeLine(change)}`);
}

const failureText = ({ call, entity, code, message }: CallFailure): string =>
  `${call}${entity === null ? '' : ` of ${entity}`} (${code}): ${message}`;

function printSome(context: CliContext, title: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  writeLine(context, title);
  for (const line of lines.slice(0, MOST_LINES)) writeLine(context, `  ${line}`);
  if (lines.length > MOST_LINES)
    writeLine(context, `  … and ${lines.length - MOST_LINES} more (--json has all)`);
}

const timeCells = ({ call, count: calls, mean_ms, slowest_ms }: CallTimes): string[] => [
  call,
  count(calls, 'call'),
  `${mean_ms} ms each, ${slowest_ms} ms the slowest`,
];

function sumOf({ content, exports, entities, failures }: GuestReport): string {
  if (!exports.includes('hooks')) return 'The guest has no hooks, so there is nothing to try with entities.';
  const findings = entities.reduce((sum, outcome) => sum + outcome.findings.length, 0);
  const changed = entities.filter(({ changes }) => changes.length > 0).length;
  return [
    `${count(entities.length, 'entity', 'entities')} of ${content}: ${count(findings, 'finding')}`,
    `${count(changed, 'entity', 'entities')} would be saved differently`,
    `${count(failures.length, 'call')} failed`,
  ].join(', ');
}
