import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  InitializeResultSchema,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '../kit/errors.ts';

export interface RelayTarget {
  url: URL;
  key: string;
  project: string | undefined;
}

/** Passes messages between an agent and a service, until the agent goes; then the session ends there. */
export async function relayToService(agent: Transport, { url, key, project }: RelayTarget): Promise<void> {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(project !== undefined && { 'x-project-id': project }),
  };
  const service = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
  const closed = new Promise<void>((resolve) => {
    agent.onclose = resolve;
  });
  service.onmessage = (message) => {
    noteVersion(service, message);
    void agent.send(message);
  };
  agent.onmessage = (message) => {
    service.send(message).catch((error: unknown) => {
      if (isJSONRPCRequest(message)) void agent.send(failure(message.id, error));
    });
  };
  await service.start();
  await agent.start();
  await closed;
  // A service that has gone has no session to end.
  await service.terminateSession().catch(() => {});
  await service.close();
}

/** Later messages name the version that both have agreed on. */
function noteVersion(service: StreamableHTTPClientTransport, message: JSONRPCMessage): void {
  if (!isJSONRPCResultResponse(message)) return;
  const { success, data } = InitializeResultSchema.safeParse(message.result);
  if (success) service.setProtocolVersion(data.protocolVersion);
}

const failure = (id: string | number, error: unknown): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code: ErrorCode.InternalError, message: messageOf(error) },
});
