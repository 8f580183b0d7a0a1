import { badRequest } from '../../kit/errors.ts';
import { type Route, type RouteRequest, route } from '../../kit/route.ts';
import { endMcp, postMcp, streamMcp } from './agents.contract.ts';
import type { AgentService } from './agents.service.ts';
import { refusePages } from './http/refuse-pages.ts';
import { clientNameOf } from './sessions/client-name.ts';
import type { Sessions } from './sessions/sessions.ts';

export interface AgentRoutesOptions {
  service: Pick<AgentService, 'answer' | 'stream'>;
  sessions: Sessions;
  /** Of pages that may connect, besides our own. */
  origins: readonly string[];
}

export function agentRoutes({ service, sessions, origins }: AgentRoutesOptions): Route[] {
  const sessionOf = (request: RouteRequest) => sessions.find(request, sessionIdOf(request));
  return [
    route(postMcp, async (request) => {
      refusePages(request, origins);
      if (request.body.method !== 'initialize') return service.answer(request, await sessionOf(request));
      const session = await sessions.begin(request, clientNameOf(request.body.params?.clientInfo ?? {}));
      return service.answer(request, session, { 'mcp-session-id': session.id });
    }),
    route(streamMcp, async (request) => {
      refusePages(request, origins);
      return service.stream(request, await sessionOf(request));
    }),
    route(endMcp, async (request) => {
      refusePages(request, origins);
      await sessions.end(request, sessionIdOf(request));
      return null;
    }),
  ];
}

function sessionIdOf({ headers }: Pick<RouteRequest, 'headers'>): string {
  const id = headers['mcp-session-id'];
  if (typeof id === 'string' && id !== '') return id;
  throw badRequest('Send the header Mcp-Session-Id that the reply to initialize had', {
    code: 'no_session',
  });
}
