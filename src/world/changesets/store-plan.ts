import { checksumOf } from '../../kit/crypto.ts';
import { createPauses } from '../../kit/pauses.ts';
import type { Project } from '../records/index.ts';
import { type PlannedStep, plannedStep, type Step } from './step.ts';
import { insertSteps } from './steps.store.ts';

/** Plans are stored in parts of this many steps, or about this much text. */
const CHUNK = { steps: 100, characters: 2_000_000 };

/** Stores steps as they arrive; resolves to their number. A cancellation ends it early without an error. */
export async function storeSteps(
  project: Project,
  operationId: string,
  steps: AsyncIterable<PlannedStep>,
  { signal, isCancelled }: { signal: AbortSignal; isCancelled(): Promise<boolean> },
): Promise<number> {
  const keys = { operation_id: operationId, tenant_id: project.tenantId };
  let total = 0;
  let chunk: (PlannedStep & typeof keys & { position: number })[] = [];
  let characters = 0;
  const pause = createPauses();
  for await (const step of steps) {
    await pause();
    signal.throwIfAborted();
    chunk.push({ ...step, ...keys, position: total });
    total += 1;
    characters += (step.base?.length ?? 0) + (step.text?.length ?? 0);
    if (chunk.length < CHUNK.steps && characters < CHUNK.characters) continue;
    await insertSteps(project, chunk);
    chunk = [];
    characters = 0;
    if (await isCancelled()) break;
  }
  if (chunk.length > 0) await insertSteps(project, chunk);
  return total;
}

export async function* planned(
  project: Project,
  steps: Iterable<Step> | AsyncIterable<Step>,
): AsyncGenerator<PlannedStep> {
  for await (const step of steps) {
    const isThere = step.kind === 'asset' && (await project.files.stat(step.path)) !== undefined;
    yield {
      ...plannedStep(step),
      ...(isThere && { base_checksum: checksumOf(await project.files.read(step.path)) }),
    };
  }
}
