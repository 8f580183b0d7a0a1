import { type Route, route } from '../../kit/route.ts';
import type { AnswerChat } from '../../world/chat/index.ts';
import { desktopChat, listAiProviders } from './assistant.contract.ts';

export const assistantRoutes = ({ answer }: { answer: AnswerChat }): Route[] => [
  // None can be configured in this version.
  route(listAiProviders, () => ({ providers: [], active: null })),
  // Only programs of this machine get here: they may do what its owner may.
  route(desktopChat, (request) => answer(request, { mayUseAi: true, mayPropose: true })),
];
