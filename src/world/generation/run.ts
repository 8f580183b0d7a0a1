import { readAnswer } from '../../content/ai/index.ts';
import { type Clock, isoDate } from '../../kit/clock.ts';
import { HttpError } from '../../kit/errors.ts';
import type { SendEvent } from '../../kit/http/event-stream.ts';
import { newId } from '../../kit/ids.ts';
import type { AiCaller, Models } from '../models/index.ts';
import type { Proposal, Proposals } from '../proposals/index.ts';
import type { Project } from '../records/index.ts';
import { askForChange } from './ask-for-change.ts';
import { freeIdOf } from './free-id.ts';
import type { Prepared } from './prepare.ts';
import { type Origin, proposalOf, requireUse } from './proposal-of.ts';
import { ruleProblems } from './rule-problems.ts';

export interface RunOptions {
  models: Models;
  proposals: Pick<Proposals, 'create'>;
  clock: Clock;
}

export interface Job {
  project: Project;
  caller: AiCaller;
  send: SendEvent;
  signal: AbortSignal;
  /** Set for work that may be repeated after a crash: it is paid for once. */
  operationId?: string;
  onCharged?(credits: number): void;
}

/**
 * Asks one provider and stores its answer as a proposal. What was used is settled, also if the caller goes; an answer that is
 * complete is stored even then, since it is paid for.
 */
export function createRun({ models, proposals, clock }: RunOptions) {
  return async (job: Job, prepared: Prepared, origin: Origin): Promise<Proposal> => {
    const { project, caller, send, signal, onCharged } = job;
    const { provider, gathered, request, mostTokens } = prepared;
    const { name } = provider;
    const today = isoDate(clock.now());
    const operation = { id: job.operationId ?? newId(), kind: `ai_${origin.kind}` };
    const spending = { provider, operation, mostTokens, signal, ...(onCharged && { onCharged }) };
    const spent = await models.spend(caller, spending, (session) =>
      askForChange(session, {
        request,
        read: (text) => {
          const answer = readAnswer(gathered.target, gathered.entity, text);
          return { ...answer, objections: ruleProblems(gathered, answer.change, today) };
        },
        onDelta: (text) => send('delta', { provider: name, text }),
      }),
    );
    requireUse(spent);
    const { change } = spent.result;
    const { entity_type: type } = gathered.template;
    const entityId = gathered.entity?.entity_id ?? (await freeIdOf(project, type, change.name ?? type));
    const outcome = { gathered, context: prepared.context, provider, spent };
    const proposal = await proposals.create(project, caller.userId, proposalOf(outcome, origin, entityId));
    const { inputTokens, outputTokens } = spent.usage;
    await send('usage', {
      provider: name,
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      credits: spent.credits,
    });
    await send('proposal', { provider: name, proposal });
    return proposal;
  };
}

export type Run = ReturnType<typeof createRun>;

export interface Failure {
  provider: string;
  detail: string;
  code: string;
  status: number;
}

/** Null for what is not the API's error. */
export const failureOf = (provider: string, error: unknown): Failure | null =>
  error instanceof HttpError
    ? { provider, detail: error.message, code: error.extras.code ?? 'failed', status: error.status }
    : null;
