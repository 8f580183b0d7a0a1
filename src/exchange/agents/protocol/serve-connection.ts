import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { AgentSession } from '../agent.ts';
import type { ResourceListener } from '../resources/watch-resources.ts';
import { clientNameOf } from '../sessions/client-name.ts';
import { createLoneSession } from '../sessions/lone-session.ts';
import { createProtocolServer, type ProtocolOptions } from './protocol-server.ts';
import { tellClient } from './tell-client.ts';

export interface ConnectionOptions {
  optionsFor(session: AgentSession): ProtocolOptions;
  watch(session: AgentSession, listener: ResourceListener): Promise<() => void>;
}

/** Serves one client over a connection of its own; resolves when it closes. */
export async function serveConnection(
  transport: Transport,
  { optionsFor, watch }: ConnectionOptions,
): Promise<void> {
  const session = createLoneSession(() => clientNameOf(server.getClientVersion()));
  const server = createProtocolServer(optionsFor(session));
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  const leave = await watch(session, tellClient(server));
  try {
    await server.connect(transport);
    await closed;
  } finally {
    leave();
  }
}
