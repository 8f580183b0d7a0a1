import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  type Tool as ToolDescription,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { HttpError } from '../../../kit/errors.ts';
import type { Log } from '../../../kit/log.ts';
import type { Agent } from '../agent.ts';
import { completionsFor } from '../prompts/completions.ts';
import { getPrompt, listPrompts } from '../prompts/prompts.ts';
import { listResources } from '../resources/list-resources.ts';
import { readResource } from '../resources/read-resource.ts';
import { RESOURCE_TEMPLATES, readAddress } from '../resources/resource-address.ts';
import { callTool } from '../tools/call-tool.ts';
import type { Tool } from '../tools/tool.ts';
import { toolsFor } from '../tools/tools.ts';
import { INSTRUCTIONS } from './instructions.ts';

export interface ProtocolOptions {
  /** Of the service. */
  version: string;
  log: Log;
  /** The client for a message, which may be cancelled. */
  agentOf(signal: AbortSignal): Agent;
}

/** The protocol's code for a missing resource. */
const RESOURCE_NOT_FOUND = -32002;

/** A server that answers the messages of one client; it says nothing by itself. */
export function createProtocolServer({ version, log, agentOf }: ProtocolOptions): Server {
  const server = new Server(
    { name: 'canonry', title: 'Canonry', version },
    {
      capabilities: {
        tools: {},
        resources: { subscribe: true, listChanged: true },
        prompts: {},
        completions: {},
      },
      instructions: INSTRUCTIONS,
    },
  );
  const answered = <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => {
      throw protocolError(error, log);
    });
  serveTools(server, agentOf, answered);
  serveResources(server, agentOf, answered);
  servePrompts(server, agentOf, answered);
  return server;
}

type AgentOf = ProtocolOptions['agentOf'];
type Answered = <Result>(work: Promise<Result>) => Promise<Result>;

function serveTools(server: Server, agentOf: AgentOf, answered: Answered): void {
  server.setRequestHandler(ListToolsRequestSchema, (_request, { signal }) => ({
    tools: toolsFor(agentOf(signal)).map(described),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) => {
    const agent = agentOf(signal);
    const tool = toolsFor(agent).find(({ name }) => name === params.name);
    if (tool === undefined)
      throw new McpError(ErrorCode.InvalidParams, `There is no tool '${params.name}' for this key`);
    return answered(callTool(tool, params.arguments ?? {}, agent));
  });
}

function serveResources(server: Server, agentOf: AgentOf, answered: Answered): void {
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }, { signal }) =>
    answered(listResources(agentOf(signal), params?.cursor)),
  );
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [...RESOURCE_TEMPLATES],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }, { signal }) =>
    answered(readResource(agentOf(signal), params.uri)),
  );
  server.setRequestHandler(SubscribeRequestSchema, ({ params }, { signal }) => {
    // Addresses are stored: one that names nothing of ours is not.
    if (readAddress(params.uri) === null)
      throw new McpError(RESOURCE_NOT_FOUND, 'This is no address of a resource: resources/list names them');
    return answered(
      agentOf(signal)
        .session.subscribe(params.uri)
        .then(() => ({})),
    );
  });
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }, { signal }) =>
    answered(
      agentOf(signal)
        .session.unsubscribe(params.uri)
        .then(() => ({})),
    ),
  );
}

function servePrompts(server: Server, agentOf: AgentOf, answered: Answered): void {
  server.setRequestHandler(ListPromptsRequestSchema, (_request, { signal }) =>
    answered(listPrompts(agentOf(signal))),
  );
  server.setRequestHandler(GetPromptRequestSchema, ({ params }, { signal }) =>
    answered(getPrompt(agentOf(signal), params.name, params.arguments ?? {})),
  );
  server.setRequestHandler(CompleteRequestSchema, ({ params }, { signal }) =>
    answered(completionsFor(agentOf(signal), params)),
  );
}

const described = ({ name, title, description, input, effect }: Tool): ToolDescription => ({
  name,
  title,
  description,
  inputSchema: { ...input, type: 'object' },
  annotations: {
    title,
    readOnlyHint: effect === 'reads',
    // A proposal destroys nothing, and neither do changes that are accepted at once: each has an undo.
    destructiveHint: false,
    openWorldHint: false,
  },
});

/** A refusal as the protocol says it; anything else is logged and not shown. */
function protocolError(error: unknown, log: Log): McpError {
  if (error instanceof McpError) return error;
  if (error instanceof HttpError) {
    const { message, status, extras } = error;
    const code = status === 404 ? RESOURCE_NOT_FOUND : ErrorCode.InvalidParams;
    return new McpError(code, message, { status, ...(extras.code !== undefined && { code: extras.code }) });
  }
  log.error(`an agent's request failed: ${error instanceof Error ? error.stack : String(error)}`);
  return new McpError(ErrorCode.InternalError, 'Something went wrong here. The log has more');
}
