import { checksumOf } from '../../kit/crypto.ts';
import type { SendEvent } from '../../kit/http/event-stream.ts';
import { newId } from '../../kit/ids.ts';
import type { ChatRequest } from '../../platform/llm/llm.ts';
import { cutWithin } from '../../text/cut.ts';
import type { AiCaller, Models, Provider } from '../models/index.ts';
import type { NewProposal, Proposals } from '../proposals/index.ts';
import type { Project } from '../records/index.ts';
import type { ChatAnswer } from './chat.contract.ts';
import { createCitations } from './citations.ts';
import { converse } from './converse.ts';
import { keyOf } from './entity-lines.ts';
import { LIMITS } from './limits.ts';
import type { ShownLines } from './shown-lines.ts';
import { createToolRunner } from './tool-runner.ts';
import type { ProposeUse, WantedChange } from './tools/propose.tool.ts';
import type { Tool } from './tools/tool.ts';

/** A question for a model, with all that its first request sends. */
export interface ModelQuestion {
  project: Project;
  caller: AiCaller;
  message: string;
  provider: Provider;
  tools: readonly Tool<ProposeUse>[];
  shown: ShownLines;
  first: ChatRequest;
}

const MOST_SOURCES = 50;
const LONGEST_LABEL = 300;

export function createAskModel({
  models,
  proposals,
}: {
  models: Models;
  proposals: Pick<Proposals, 'create'>;
}) {
  async function propose(asked: ModelQuestion, change: WantedChange): Promise<string> {
    const { project, caller } = asked;
    const made = await proposals.create(project, caller.userId, {
      ...change,
      origin: originOf(asked),
      findings: [],
      change_set_id: null,
    });
    return made.proposal_id;
  }

  return async (asked: ModelQuestion, send: SendEvent, signal: AbortSignal): Promise<ChatAnswer> => {
    const { provider, caller, project, shown, first } = asked;
    const made: ChatAnswer['proposals'] = [];
    const citations = createCitations(shown);
    const runCall = createToolRunner(asked.tools, {
      project,
      shown,
      proposals: made,
      async propose(change) {
        const { entity_type, entity_id } = change;
        const proposal = { proposal_id: await propose(asked, change), entity_type, entity_id };
        made.push(proposal);
        await send('proposal', proposal);
        return proposal.proposal_id;
      },
    });
    const spending = {
      provider,
      operation: { id: newId(), kind: 'ai_chat' },
      mostTokens: LIMITS.tokens,
      signal,
    };
    const { result, usage, credits } = await models.spend(caller, spending, (session) =>
      converse({ provider, session, first, citations, runCall, send }),
    );
    const counted = { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens };
    await send('usage', { ...counted, credits });
    return {
      offline: false,
      reason: null,
      provider: provider.name,
      model: provider.address.model,
      message: { role: 'assistant', content: result.content },
      citations: citations.list(),
      entities: [],
      terms: [],
      tools: result.tools,
      proposals: made,
      finish: result.finish,
      usage: counted,
      credits,
    };
  };
}

/** How a change came about that the model proposes. */
function originOf({ provider, message, shown, first }: ModelQuestion): NewProposal['origin'] {
  const read = shown.entities().slice(0, MOST_SOURCES);
  return {
    kind: 'chat',
    provider: provider.name,
    model: provider.address.model,
    agent: null,
    skills: [],
    prompt_hash: checksumOf(JSON.stringify(first.messages)),
    instruction: message,
    sources: [
      { kind: 'instruction', ref: 'chat', label: cutWithin(message, LONGEST_LABEL) },
      ...read.map((entity) => ({ kind: 'entity' as const, ref: keyOf(entity), label: entity.name })),
    ],
    // They are known once the answer is complete, and belong to all of it.
    usage: null,
    credits: 0,
    parents: [],
  };
}
