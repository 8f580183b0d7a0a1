import type { ContextInput } from '../../content/ai/index.ts';
import { conflict, invalid } from '../../kit/errors.ts';
import type { AiCaller, Models, Provider } from '../models/index.ts';
import type { Proposal, Proposals } from '../proposals/index.ts';
import type { Project } from '../records/index.ts';
import type { createGather, Gathered, Wish } from './gather.ts';
import type { GenerateBody, RefineBody } from './generation.contract.ts';
import { type Prepared, prepare, previewOf, promptHash } from './prepare.ts';
import type { Origin } from './proposal-of.ts';
import { type Failure, failureOf, type Job, type Run } from './run.ts';

export interface GenerationOptions {
  gather: ReturnType<typeof createGather>;
  models: Models;
  proposals: Pick<Proposals, 'get'>;
  run: Run;
}

export interface Generation {
  mode: 'single' | 'compare' | 'fusion';
  gathered: Gathered;
  /** One for each provider; the first one also combines in `fusion`. */
  requests: Prepared[];
  origin: Origin;
}

export interface Generated {
  proposals: Proposal[];
  failures: Failure[];
}

/** Proposals that models make for an entity. */
export function createGeneration({ gather, models, proposals, run }: GenerationOptions) {
  async function providersOf(
    caller: AiCaller,
    mode: Generation['mode'],
    names: readonly string[] = [],
  ): Promise<Provider[]> {
    if (mode === 'single' && names.length > 1)
      throw invalid('A single generation asks one provider: name one, or choose the mode compare', {
        code: 'invalid_providers',
      });
    const distinct = [...new Set(names)];
    if (mode !== 'single' && (distinct.length < 2 || distinct.length > 4))
      throw invalid(`The mode ${mode} takes two to four different providers`, { code: 'invalid_providers' });
    if (distinct.length === 0) return [await models.pick(caller)];
    return Promise.all(distinct.map((name) => models.pick(caller, name)));
  }

  async function preparedFor(project: Project, caller: AiCaller, wish: Wish, providers: readonly Provider[]) {
    const gathered = await gather(project, caller, wish);
    return { gathered, requests: providers.map((provider) => prepare(gathered, provider)) };
  }

  /** Refuses everything that can be refused before anything is sent. */
  async function begin(project: Project, caller: AiCaller, body: GenerateBody): Promise<Generation> {
    const { mode = 'single' } = body;
    const providers = await providersOf(caller, mode, body.providers);
    const prepared = await preparedFor(project, caller, wishOf(body), providers);
    return { mode, ...prepared, origin: { kind: 'generate', parents: [], changeSetId: null } };
  }

  async function beginRefining(
    project: Project,
    caller: AiCaller,
    proposalId: string,
    { instruction, provider, unknown_variables }: RefineBody,
  ): Promise<Generation> {
    const providers = [await models.pick(caller, provider)];
    const earlier = await proposals.get(project, proposalId);
    const fields = Object.keys(earlier.fields).filter((name) => name !== 'name' && name !== 'status');
    const isNew = earlier.base_version === null;
    const wish: Wish = {
      entity_type: earlier.entity_type,
      entity_id: isNew ? null : earlier.entity_id,
      target: { fields, body: earlier.markdown_body.length > 0 },
      instruction,
      skills: undefined,
      unknownVariables: unknown_variables ?? 'skip',
      answers: [{ ref: `proposal/${proposalId}`, text: answerText(earlier) }],
    };
    const prepared = await preparedFor(project, caller, wish, providers);
    return {
      mode: 'single',
      ...prepared,
      origin: { kind: 'refine', parents: [proposalId], changeSetId: null },
    };
  }

  /** The failures of single providers do not stop the others; the first one's is thrown if all failed. */
  async function askAll(job: Job, { requests, origin }: Generation): Promise<Generated> {
    const results = await Promise.allSettled(requests.map((request) => run(job, request, origin)));
    const done = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    job.signal.throwIfAborted();
    if (done.length === 0) throw reasons[0];
    const failures = results.flatMap((result, at) => {
      if (result.status === 'fulfilled') return [];
      const failure = failureOf(requests[at]?.provider.name ?? '', result.reason);
      if (failure === null) throw result.reason;
      return [failure];
    });
    for (const failure of failures) await job.send('error', failure);
    return { proposals: done, failures };
  }

  /** The first provider makes one of all answers; those stay as they are, and are its parents. */
  async function combine(
    job: Job,
    { gathered, requests, origin }: Generation,
    found: readonly Proposal[],
  ): Promise<Proposal> {
    const [first] = requests;
    if (first === undefined) throw new Error('a generation has at least one provider');
    const answers = found.map((proposal) => ({
      ref: `proposal/${proposal.proposal_id}`,
      text: answerText(proposal),
    }));
    const prepared = prepare({ ...gathered, answers }, first.provider);
    return run(job, prepared, {
      ...origin,
      kind: 'fusion',
      parents: found.map(({ proposal_id }) => proposal_id),
    });
  }

  return {
    begin,
    beginRefining,
    preview: ({ mode, requests }: Generation) => ({
      dry_run: true as const,
      mode,
      requests: requests.map((request) => previewOf(models, request)),
      prompt_hash: hashOf(requests),
      price: requests.reduce(
        (sum, { provider, mostTokens }) => sum + models.priceOf(provider, mostTokens),
        0,
      ),
    }),
    requireShown,
    async generate(job: Job, generation: Generation): Promise<Generated> {
      const found = await askAll(job, generation);
      if (generation.mode !== 'fusion' || found.proposals.length < 2) return found;
      return { ...found, proposals: [await combine(job, generation, found.proposals), ...found.proposals] };
    },
  };
}

const hashOf = (requests: readonly Prepared[]): string =>
  promptHash(requests.flatMap(({ request }) => request.messages));

/** 409 where another preview than the one that the caller has seen would be sent. */
function requireShown({ requests }: Generation, shownHash: string | undefined): void {
  if (shownHash === undefined || shownHash === hashOf(requests)) return;
  throw conflict('What would be sent has changed since it was shown: look at it again with `dry_run`', {
    code: 'prompt_changed',
  });
}

export type GenerationService = ReturnType<typeof createGeneration>;

const wishOf = (body: GenerateBody): Wish => ({
  entity_type: body.entity_type,
  entity_id: body.entity_id ?? null,
  target: body.target ?? {},
  instruction: body.instruction ?? null,
  skills: body.skills,
  unknownVariables: body.unknown_variables ?? 'skip',
  answers: [],
});

/** A proposal as text, for a model that is to go on from it. */
function answerText({ fields, markdown_body: hunks }: Proposal): ContextInput['answers'][number]['text'] {
  const after = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.after]));
  const changes = hunks.map((hunk) => ({ instead_of: hunk.before, write: hunk.after }));
  return JSON.stringify({ fields: after, ...(changes.length > 0 && { markdown_body: changes }) });
}
