import { leadsToLoopback } from '../../kit/loopback.ts';
import { type Route, route } from '../../kit/route.ts';
import type { AnswerChat } from '../../world/chat/index.ts';
import { aiCallerOf, type Models, type Provider } from '../../world/models/index.ts';
import { desktopChat, listAiProviders } from './assistant.contract.ts';

export const assistantRoutes = ({ answer, models }: { answer: AnswerChat; models: Models }): Route[] => [
  route(listAiProviders, async (request) => {
    const providers = await models.list(aiCallerOf(request));
    return { providers: providers.map(shown), active: providers[0]?.name ?? null };
  }),
  // Only programs of this machine get here: they may do what its owner may.
  route(desktopChat, (request) => answer(request, { mayUseAi: true, mayPropose: true })),
];

const shown = ({ name, address }: Provider) => ({
  id: name,
  name: `${name} (${address.model})`,
  local: leadsToLoopback(new URL(address.baseUrl)),
  configured: true,
});
