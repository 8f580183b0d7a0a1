import { basename } from 'node:path';
import { type AskedTypes, formatOfPath, type Proposal } from '../content/import/index.ts';
import type { Config } from '../kit/config/index.ts';
import type { ImportResult } from '../world/imports/index.ts';
import { type CliContext, EXIT, type ExitCode, writeJson, writeLine } from './context.ts';
import { withDataLock } from './data-lock.ts';
import { withCore } from './one-off-core.ts';
import { projectIdOf } from './project.ts';
import { readSources } from './read-sources.ts';
import { runSync } from './run-sync.ts';
import { count, createProgress, styled } from './terminal.ts';

const ADVICE = 'A running service imports the same with POST /api/import/smart and /api/import/archive';

export interface ImportCommandOptions {
  type?: string;
  defaultType?: string;
  typeOf?: AskedTypes;
  mode: 'skip' | 'merge' | 'replace';
  includeJson?: boolean;
  dryRun?: boolean;
  project?: string;
  json?: boolean;
}

/** Imports notes, tables, JSON or a zip of them as one operation, and prints the outcome of each part. */
export async function importSources(
  context: CliContext,
  config: Config,
  path: string,
  options: ImportCommandOptions,
): Promise<ExitCode> {
  const { type: entityType, defaultType, typeOf: types, mode, dryRun = false } = options;
  const sources = await readSources(context, path, config.largestText);
  const includeJson = options.includeJson === true || formatOfPath(path) === 'json';
  const input = {
    ...sources,
    origin: basename(path),
    entityType,
    defaultType,
    types,
    includeJson,
    mode,
    mapping: new Map(),
  };
  const author = { actor: 'cli', plan: config.localPlan };
  const progress = createProgress(context);
  const work = () =>
    withCore(context, config, projectIdOf(options), async (open) => {
      // Manual edits since the last sync must count.
      await runSync(context, open);
      return open.core.imports.run(open.project, input, author, {
        dryRun,
        onPlan: ({ phase, done, total }) =>
          progress.show(`${phase} ${done}${total === null ? '' : ` of ${total}`}`),
        onProgress: ({ done, total }) => progress.show(`writing ${done} of ${total}`),
      });
    });
  try {
    const result = await withDataLock(config, work, ADVICE);
    progress.clear();
    if (options.json) writeJson(context, { dry_run: dryRun, ...result });
    else print(context, result, dryRun);
    return isWhole(result) ? EXIT.ok : EXIT.findings;
  } finally {
    progress.clear();
  }
}

/** True if everything was imported. A dangling link stays in the text and does not count as a loss. */
const isWhole = ({ totals, operation }: ImportResult): boolean =>
  totals.refused + totals.notes.skip + totals.notes.refuse + (operation?.skipped_total ?? 0) === 0;

const DONE = { create: 'created', merge: 'merged', replace: 'replaced', skip: 'skipped', refuse: 'refused' };
const PLANNED = { ...DONE, create: 'would create', merge: 'would merge', replace: 'would replace' };

function print(
  context: CliContext,
  { totals, notes, refused, untyped, operation }: ImportResult,
  dryRun: boolean,
): void {
  const dim = (text: string) => writeLine(context, styled(context, 'dim', text));
  for (const note of notes) {
    const { action, place, entity_type, entity_id, reason, kept_aside, links } = note;
    const why = reason === null ? '' : `: ${reason}`;
    writeLine(
      context,
      `${(dryRun ? PLANNED : DONE)[action]} ${entity_type} ${entity_id} from ${place}${why}`,
    );
    for (const { from, to, confidence, reason: how } of note.mapped)
      if (from !== to) dim(`  ${from} is ${describeProposal({ to, confidence, reason: how })}`);
    for (const { from, to, reason: how, proposed } of kept_aside)
      dim(`  ${from} is kept as ${to}: ${how}${proposed ? `; perhaps ${describeProposal(proposed)}` : ''}`);
    for (const { line, text, reason: how } of links.unresolved)
      dim(`  ${line === null ? '' : `line ${line}: `}${text}: ${how}`);
    for (const each of note.refused)
      writeLine(context, `  ${styled(context, 'yellow', 'refused')} ${each.place}: ${each.reason}`);
  }
  for (const { place, code } of untyped) if (code === 'left_out') dim(`left out ${place}`);
  for (const { place, reason } of refused)
    writeLine(context, `${styled(context, 'yellow', 'refused')} ${place}: ${reason}`);
  for (const { path, entity_type, entity_id, reason } of operation?.skipped ?? [])
    writeLine(
      context,
      `${styled(context, 'yellow', 'not written')} ${path ?? `${entity_type} ${entity_id}`}: ${reason}`,
    );
  writeLine(context, summary(totals, dryRun));
  if (operation)
    writeLine(context, `One step back undoes it: POST /api/operations/${operation.operation_id}/undo`);
}

const describeProposal = ({ to, confidence, reason }: Proposal): string =>
  `${to} (${Math.round(confidence * 100)} %: ${reason})`;

function summary(
  { notes, properties, links, attachments, refused }: ImportResult['totals'],
  dryRun: boolean,
): string {
  const taken = notes.create + notes.merge + notes.replace;
  const parts = [
    `${count(properties.total, 'property', 'properties')}: ${properties.kept} as they stand, ${properties.mapped} mapped, ${properties.kept_aside} kept aside, ${properties.refused} refused`,
    `${count(links.resolved, 'link')} resolved, ${links.unresolved} left as text`,
    count(attachments, 'attachment'),
    ...(notes.skip > 0 ? [`${notes.skip} skipped`] : []),
    `${refused} refused in all`,
  ];
  return `${dryRun ? 'Would import' : 'Imported'} ${count(taken, 'entity', 'entities')}; ${parts.join('; ')}`;
}
