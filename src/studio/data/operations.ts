import { type Api, apiOf } from './api.ts';
import { markWorld } from './cache.ts';
import { OperationFailed } from './errors.ts';

export type Operation = Awaited<ReturnType<Api['undoOperation']>>;

const ASK_AGAIN_MS = 700;
const RUNNING: readonly Operation['status'][] = ['running', 'cancelling', 'interrupted'];

/** The service answers for a long operation while it still runs: waits until that is over. */
export async function ended(
  project: string,
  begun: Operation,
  onProgress: (operation: Operation) => void = () => undefined,
): Promise<Operation> {
  let operation = begun;
  while (RUNNING.includes(operation.status)) {
    onProgress(operation);
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    operation = await apiOf(project).getOperation({
      params: { operation_id: begun.operation_id },
      query: { limit: 1 },
    });
  }
  return operation;
}

/** The operation itself, unless it has changed nothing. */
export function effective(operation: Operation): Operation {
  const { status, applied, skipped, reason, label } = operation;
  if (status !== 'failed' && applied > 0) return operation;
  throw new OperationFailed(reason ?? skipped[0]?.reason ?? label);
}

/** Takes an operation back, and resolves when that is done; an error says why nothing could be taken back. */
export async function takeBack(project: string, operationId: string): Promise<Operation> {
  const undone = await undo(project, operationId);
  await markWorld(project);
  return undone;
}

/** The same, for callers that mark themselves what has changed. */
export async function undo(project: string, operationId: string): Promise<Operation> {
  const begun = await apiOf(project).undoOperation({ params: { operation_id: operationId } });
  return effective(await ended(project, begun));
}
