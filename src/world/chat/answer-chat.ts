import { messageOf } from '../../kit/errors.ts';
import { eventStream, wantsEvents } from '../../kit/http/event-stream.ts';
import type { Log } from '../../kit/log.ts';
import type { Reply, RouteRequest } from '../../kit/route.ts';
import { aiCallerOf } from '../models/index.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import type { ChatBody, ChatReply } from './chat.contract.ts';
import type { Chat, Rights } from './chat.service.ts';

type ChatRequest = Pick<
  RouteRequest,
  'tenantId' | 'projectId' | 'actor' | 'plan' | 'principal' | 'onEnd' | 'headers' | 'callerGone'
> & { body: ChatBody };

/** Answers a request of the core's route or of the desktop's: as events, or as JSON. */
export function createAnswerChat({ projects, chat, log }: { projects: Projects; chat: Chat; log: Log }) {
  return async (request: ChatRequest, rights: Rights): Promise<Reply | ChatReply> => {
    // Asking a question must not create a missing project.
    const project = await requestProject(projects, { ...request, changes: false });
    const { body } = request;
    const asker = { ...rights, caller: aiCallerOf(request) };
    const prepared = await chat.prepare(project, asker, body);
    if (body.dry_run === true) return chat.preview(prepared);
    if (!wantsEvents(request)) return chat.answer(prepared, async () => {}, request.callerGone());
    return eventStream(async (send, signal) => send('answer', await chat.answer(prepared, send, signal)), {
      onFailure: (error) => log.error(`a chat failed: ${messageOf(error)}`),
    });
  };
}

export type AnswerChat = ReturnType<typeof createAnswerChat>;
