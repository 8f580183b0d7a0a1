import { HttpError, messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import { DatabaseError } from '../../platform/database/database.ts';
import { FilesError, isDiskFailure } from '../../platform/files/files.ts';
import { applyStep } from './apply-step.ts';
import type { StepKind, StepRow } from './changesets.tables.ts';
import { isBeside } from './step.ts';
import { note, type StepTools } from './step-tools.ts';
import { hasSteps, plannedSteps, skipPlanned } from './steps.store.ts';

/** Concurrent steps; their writes share commits. */
const AT_ONCE = 16;

/** After these the operation stops, to be finished later. */
const stopsAll = (error: unknown): boolean =>
  error instanceof DatabaseError ||
  isDiskFailure(error) ||
  (error instanceof HttpError && error.status === 503);

const CANCELLED = 'it was cancelled before this';

const WITHOUT_MOVE = 'nothing was changed here, because the entity that it refers to did not get its id';

/**
 * Applies the steps in order, several at a time. A step that its file refuses is skipped with the reason. Moves come first: if one
 * is refused, nothing else is done, since references would have no target. After a cancellation the rest is skipped. Throws if
 * disk or database fail or `signal` aborts; the rest of the plan then stays.
 */
export async function runSteps(tools: StepTools, log: Log, run: StepsRun): Promise<void> {
  const { project, operation } = tools;
  const { operation_id: id } = operation;
  await runPlanned(tools, log, run, 'move');
  if (await hasSteps(project, id, { kind: 'move', state: 'skipped' })) {
    await skipPlanned(project, id, WITHOUT_MOVE);
  } else await runPlanned(tools, log, run);
}

interface StepsRun {
  signal: AbortSignal;
  isCancelled(): Promise<boolean>;
  onStep(): void;
}

async function runPlanned(
  tools: StepTools,
  log: Log,
  { signal, isCancelled, onStep }: StepsRun,
  kind?: StepKind,
): Promise<void> {
  const { project, operation } = tools;
  let after = -1;
  for (;;) {
    signal.throwIfAborted();
    const page = { after, limit: AT_ONCE, ...(kind && { kind }) };
    const steps = await plannedSteps(project, operation.operation_id, page);
    const last = steps.at(-1);
    if (last === undefined) return;
    if (await isCancelled()) return void (await skipPlanned(project, operation.operation_id, CANCELLED));
    after = last.position;
    // An entity's folder is created and removed as a whole, so other files in it wait.
    for (const beside of [false, true]) {
      const together = steps.filter(({ kind }) => isBeside(kind) === beside);
      const results = await Promise.allSettled(together.map((step) => runOne(tools, step, log).then(onStep)));
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    }
  }
}

async function runOne(tools: StepTools, step: StepRow, log: Log): Promise<void> {
  try {
    await applyStep[step.kind](tools, step);
  } catch (error) {
    if (stopsAll(error)) throw error;
    await note(tools, step, { state: 'skipped', reason: reasonOf(error, log) });
  }
}

function reasonOf(error: unknown, log: Log): string {
  if (error instanceof HttpError || error instanceof FilesError) return error.message;
  log.error(`a step of an operation failed: ${error instanceof Error ? error.stack : messageOf(error)}`);
  return 'an unexpected error; the log has it';
}
