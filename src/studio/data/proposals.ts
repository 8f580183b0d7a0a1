import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ClientError } from '../../client/error.ts';
import { type Api, apiOf } from './api.ts';
import { cache, keys, markEntity } from './cache.ts';
import type { EntityAddress } from './entity.ts';
import { eventsOf } from './event-stream.ts';

type GenerateBody = NonNullable<Parameters<Api['generate']>[0]>['body'];
export type Target = NonNullable<GenerateBody['target']>;
export type Proposal = Awaited<ReturnType<Api['getProposal']>>;
export type Preview = Extract<Awaited<ReturnType<Api['generate']>>, { dry_run: true }>;

/** The parts of a proposal that are decided together. */
export interface Parts {
  fields: string[];
  hunks: string[];
}

/** The request to a model: for an entity, or on from an earlier proposal. */
export interface Question {
  entity: EntityAddress;
  target: Target;
  instruction: string;
  /** The proposal that is to be changed; the instruction is needed then. */
  refined: string | null;
  /** The version of the entity that the model gets. */
  version: number;
}

const generateBody = ({ entity, target, instruction }: Question): GenerateBody => ({
  entity_type: entity.type,
  entity_id: entity.id,
  target,
  ...(instruction.trim() !== '' && { instruction }),
});

/** Exactly what would be sent, and the most that it can cost. */
export const usePreview = (question: Question, isEnabled: boolean) =>
  useQuery({
    queryKey: [...keys.ai(question.entity.project), 'preview', question],
    enabled: isEnabled,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Preview> => {
      const { entity, instruction, refined } = question;
      const { generate, refineProposal } = apiOf(entity.project);
      const reply =
        refined === null
          ? await generate({ body: { ...generateBody(question), dry_run: true }, signal })
          : await refineProposal({ params: { id: refined }, body: { instruction, dry_run: true }, signal });
      if (!('dry_run' in reply)) throw new TypeError('a dry run replies with a preview');
      return reply;
    },
  });

/**
 * Asks the model for what the preview has shown; 409 where something else would be sent by now. The answer is stored as
 * a proposal; `onText` hears each piece of it. Aborting ends the request.
 */
export async function propose(
  question: Question,
  { requests, prompt_hash }: Preview,
  onText: (text: string) => void,
  signal: AbortSignal,
): Promise<Proposal> {
  const { entity, instruction, refined } = question;
  const providers = requests.map(({ provider }) => provider);
  const events =
    refined === null
      ? eventsOf(
          entity.project,
          '/api/ai/generate',
          { ...generateBody(question), providers, prompt_hash } satisfies GenerateBody,
          signal,
        )
      : eventsOf(
          entity.project,
          `/api/ai/proposals/${refined}/refine`,
          { instruction, provider: providers[0], prompt_hash },
          signal,
        );
  for await (const { event, data } of events) {
    if (event === 'delta') onText((data as { text: string }).text);
    if (event === 'error') throw refusalIn(data as StreamedRefusal);
    if (event === 'proposal') return (data as { proposal: Proposal }).proposal;
  }
  throw new TypeError('The connection ended before the answer');
}

interface StreamedRefusal {
  detail: string;
  status: number;
  code?: string;
}

const refusalIn = ({ status, detail, ...more }: StreamedRefusal): ClientError =>
  new ClientError(status, detail, more);

export interface Decision {
  proposal: Proposal;
  /** The entity had changed since the proposal was made. */
  merged: boolean;
}

export function decide(
  entity: EntityAddress,
  id: string,
  what: 'accept' | 'undo' | 'reject',
  parts: Parts,
): Promise<Decision> {
  const { acceptProposal, undoProposal, rejectProposal } = apiOf(entity.project);
  const params = { id };
  const decided =
    what === 'reject'
      ? rejectProposal({ params })
      : { accept: acceptProposal, undo: undoProposal }[what]({ params, body: parts });
  return decided.finally(() => {
    markEntity(entity);
    void cache.invalidateQueries({ queryKey: pendingKey(entity) });
  });
}

const pendingKey = ({ project, type, id }: EntityAddress) => [...keys.ai(project), 'pending', type, id];

/** Proposals for an entity of which nothing is decided yet: of this page, of a chat or of agents. */
export const usePending = (entity: EntityAddress) =>
  useQuery({
    queryKey: pendingKey(entity),
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const { project, type, id } = entity;
      const query = { entity_type: type, entity_id: id, status: 'pending' as const };
      return (await apiOf(project).listProposals({ query, signal })).proposals;
    },
  });

export const readProposal = (project: string, id: string): Promise<Proposal> =>
  apiOf(project).getProposal({ params: { id } });

/** The generated parts of an entity that are still there, with their model and how much people changed since. */
export const useProvenance = ({ project, type, id }: EntityAddress, version: number) =>
  useQuery({
    queryKey: [...keys.ai(project), 'provenance', type, id, version],
    queryFn: async ({ signal }) =>
      (await apiOf(project).getProvenance({ params: { type, id }, signal })).parts,
  });
