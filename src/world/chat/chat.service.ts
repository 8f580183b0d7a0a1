import type { SendEvent } from '../../kit/http/event-stream.ts';
import type { AiCaller } from '../models/index.ts';
import type { Project } from '../records/index.ts';
import type { ChatAnswer, ChatBody, ChatPreview } from './chat.contract.ts';
import type { Find } from './finding.ts';
import { type OfflineReason, offlineAnswer } from './offline-answer.ts';

export interface Rights {
  mayUseAi: boolean;
  mayPropose: boolean;
}

export interface Asker extends Rights {
  caller: AiCaller;
}

/** A question whose answer can begin: nothing that is left can be a refusal. */
export interface Prepared {
  project: Project;
  question: ChatBody;
  reason: OfflineReason;
}

const ENTITIES = 5;

export function createChat({ find }: { find: Find }) {
  return {
    async prepare(project: Project, _asker: Asker, question: ChatBody): Promise<Prepared> {
      const detail = 'No AI provider is configured, so nobody else was asked.';
      return { project, question, reason: { code: 'ai_not_configured', detail } };
    },
    preview: ({ reason }: Prepared): ChatPreview => ({
      dry_run: true,
      offline: true,
      reason,
      provider: null,
      model: null,
      messages: [],
      tools: [],
      max_output_tokens: 0,
      tokens: 0,
      price: { first_request: 0, most: 0 },
    }),
    async answer(
      { project, question, reason }: Prepared,
      send: SendEvent,
      signal: AbortSignal,
    ): Promise<ChatAnswer> {
      const finding = await find(project, question.message, question.limit ?? ENTITIES);
      signal.throwIfAborted();
      const answer = offlineAnswer(finding, reason);
      await send('delta', { text: answer.message.content });
      return answer;
    },
  };
}

export type Chat = ReturnType<typeof createChat>;
