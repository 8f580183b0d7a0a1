import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallRoute, RouteCaller } from '../../kit/http/route-calls.ts';
import type { Log } from '../../kit/log.ts';
import type { Reply, RouteRequest } from '../../kit/route.ts';
import type { Agent, AgentSession } from './agent.ts';
import type { ChangesFor } from './changes/changes.service.ts';
import type { OpenStreams } from './http/open-streams.ts';
import type { AgentSkillsFor } from './prompts/skills.service.ts';
import type { ResourceListener, WatchResources } from './resources/watch-resources.ts';

export interface AgentServiceOptions {
  callRoute: CallRoute;
  changesFor: ChangesFor;
  skillsOf: AgentSkillsFor;
  watchResources: WatchResources;
  streams: OpenStreams;
  version: string;
  log: Log;
}

export type AgentService = ReturnType<typeof createAgentService>;

/** Speaks the protocol with agents. Its library is loaded by the first of them. */
export function createAgentService({
  callRoute,
  changesFor,
  skillsOf,
  watchResources,
  streams,
  version,
  log,
}: AgentServiceOptions) {
  const agentOf =
    (caller: Omit<RouteCaller, 'signal'>, session: AgentSession) =>
    (signal: AbortSignal): Agent => {
      const own = { ...caller, signal };
      return {
        caller: own,
        session,
        changes: changesFor(own, session),
        skills: skillsOf(own),
        ask: (contract, parts) => callRoute(contract, own, parts),
      };
    };
  const optionsFor = (caller: Omit<RouteCaller, 'signal'>, session: AgentSession) => ({
    version,
    log,
    agentOf: agentOf(caller, session),
  });

  return {
    /** Answers one message that was posted. */
    async answer(
      request: RouteRequest,
      session: AgentSession,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<Reply> {
      const { answerMessage, createProtocolServer } = await import('./protocol/library.ts');
      const server = createProtocolServer(optionsFor(callerOf(request), session));
      return answerMessage(request, headers, server);
    },

    /** Tells a session what changes, until its client goes or the stream has had its time. */
    async stream(request: RouteRequest, session: AgentSession): Promise<Reply> {
      const { createProtocolServer, openStream } = await import('./protocol/library.ts');
      const caller = callerOf(request);
      const server = createProtocolServer(optionsFor(caller, session));
      const leave = streams.admit(request, () => void server.close());
      try {
        const watch = (listener: ResourceListener) => watchResources(caller, session, listener);
        return await openStream(request, server, { watch, onEnd: leave });
      } catch (error) {
        leave();
        throw error;
      }
    },

    /** Serves a client that has a connection of its own, until it closes. */
    async serve(transport: Transport, caller: Omit<RouteCaller, 'signal'>): Promise<void> {
      const { serveConnection } = await import('./protocol/library.ts');
      await serveConnection(transport, {
        optionsFor: (session) => optionsFor(caller, session),
        watch: (session, listener) => watchResources(caller, session, listener),
      });
    },
  };
}

const callerOf = ({
  principal,
  tenantId,
  projectId,
  actor,
  plan,
  requestId,
  address,
}: RouteRequest): Omit<RouteCaller, 'signal'> => ({
  principal,
  tenantId,
  projectId,
  actor,
  plan,
  requestId,
  address,
});
