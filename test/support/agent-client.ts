import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

export interface AgentClient {
  client: Client;
  transport: StreamableHTTPClientTransport;
  /** A tool's structured answer. Fails where the tool does. */
  call<Data = Record<string, unknown>>(name: string, input?: object): Promise<Data>;
  /** The text of a tool's refusal. Fails where the tool does not refuse. */
  refused(name: string, input?: object): Promise<string>;
  close(): Promise<void>;
}

export const textOf = ({ content }: Pick<CallToolResult, 'content'>): string =>
  content.map((item) => (item.type === 'text' ? item.text : '')).join('\n');

/** The SDK's own client, connected by HTTP. */
export async function connectAgent(
  address: string,
  token: string,
  { headers = {}, name = 'test-agent' }: { headers?: Record<string, string>; name?: string } = {},
): Promise<AgentClient> {
  const client = new Client({ name, version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL('/api/mcp', address), {
    requestInit: { headers: { authorization: `Bearer ${token}`, ...headers } },
  });
  await client.connect(transport);
  const ask = async (name: string, input: object): Promise<CallToolResult> =>
    (await client.callTool({ name, arguments: { ...input } })) as CallToolResult;
  return {
    client,
    transport,
    async call<Data>(name: string, input: object = {}) {
      const result = await ask(name, input);
      if (result.isError) throw new Error(`${name}: ${textOf(result)}`);
      return result.structuredContent as Data;
    },
    async refused(name, input = {}) {
      const result = await ask(name, input);
      if (!result.isError) throw new Error(`${name} was not refused: ${textOf(result)}`);
      return textOf(result);
    },
    async close() {
      await client.close();
    },
  };
}
