import { setTimeout as wait } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  GetPromptRequestSchema,
  type GetPromptResult,
  ListPromptsRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type ReadResourceResult,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { agentRoutes } from '../../src/exchange/agents/agents.routes.ts';
import { answerMessage, openStream } from '../../src/exchange/agents/http/serve-http.ts';
import { createSessions } from '../../src/exchange/agents/sessions/sessions.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { createServer } from '../../src/kit/http/server.ts';
import type { RouteRequest } from '../../src/kit/route.ts';
import { createMemoryKeyValue } from '../../src/platform/kv/adapters/memory-kv.ts';
import { BARE_SERVER } from './bare-server.ts';

const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const SOUND = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const BETWEEN_NOTICES_MS = 5;

const text = (words: string) => ({ type: 'text' as const, text: words });
const image = { type: 'image' as const, data: PICTURE, mimeType: 'image/png' };
const embedded = (uri: string, words: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType: 'text/plain', text: words },
});

/** The tools that the conformance suite asks of a server: what they answer. */
const TOOLS: Readonly<Record<string, CallToolResult>> = {
  test_simple_text: { content: [text('Simple.')] },
  test_image_content: { content: [image] },
  test_audio_content: { content: [{ type: 'audio', data: SOUND, mimeType: 'audio/wav' }] },
  test_embedded_resource: { content: [embedded('test://embedded-resource', 'Embedded.')] },
  test_multiple_content_types: {
    content: [text('Several:'), image, embedded('test://mixed-content-resource', '{}')],
  },
  test_tool_with_logging: { content: [text('Logged.')] },
  test_tool_with_progress: { content: [text('Done.')] },
  test_error_handling: { content: [text('It fails on purpose')], isError: true },
  json_schema_2020_12_tool: { content: [text('Described.')] },
};

const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: {
    address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
  },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  additionalProperties: false,
};

const RESOURCES: Readonly<
  Record<string, { mimeType: string; text: string } | { mimeType: string; blob: string }>
> = {
  'test://static-text': { mimeType: 'text/plain', text: 'Static.' },
  'test://static-binary': { mimeType: 'image/png', blob: PICTURE },
  'test://template/123/data': { mimeType: 'application/json', text: '{"id":"123"}' },
};

const user = (content: GetPromptResult['messages'][number]['content']) => ({
  role: 'user' as const,
  content,
});

const PROMPTS: Readonly<Record<string, (given: Record<string, string>) => GetPromptResult>> = {
  test_simple_prompt: () => ({ messages: [user(text('Simple.'))] }),
  test_prompt_with_arguments: ({ arg1, arg2 }) => ({ messages: [user(text(`${arg1} ${arg2}`))] }),
  test_prompt_with_embedded_resource: ({ resourceUri = '' }) => ({
    messages: [user(embedded(resourceUri, 'Embedded.')), user(text('Look at it.'))],
  }),
  test_prompt_with_image: () => ({ messages: [user(image), user(text('Look at it.'))] }),
};

/** The suite's "everything server": fixtures, served by our own transport. */
function createFixtures(): Server {
  const server = new Server(
    { name: 'fixtures', version: '1.0.0' },
    { capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, logging: {} } },
  );
  server.setRequestHandler(SetLevelRequestSchema, () => ({}));
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.keys(TOOLS).map((name) => ({ name, description: name, inputSchema: SCHEMA })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { sendNotification, _meta }) => {
    const token = _meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (params.name === 'test_tool_with_logging')
        await sendNotification({
          method: 'notifications/message',
          params: { level: 'info', data: progress },
        });
      if (params.name === 'test_tool_with_progress' && token !== undefined)
        await sendNotification({
          method: 'notifications/progress',
          params: { progressToken: token, progress, total: 100 },
        });
      await wait(BETWEEN_NOTICES_MS);
    }
    return TOOLS[params.name] ?? { content: [text('There is no such tool')], isError: true };
  });
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }): ReadResourceResult => {
    const found = RESOURCES[uri];
    return { contents: found ? [{ uri, ...found }] : [] };
  });
  server.setRequestHandler(SubscribeRequestSchema, () => ({}));
  server.setRequestHandler(UnsubscribeRequestSchema, () => ({}));
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: Object.keys(PROMPTS).map((name) => ({ name })),
  }));
  server.setRequestHandler(
    GetPromptRequestSchema,
    ({ params: { name, arguments: given = {} } }) => PROMPTS[name]?.(given) ?? { messages: [] },
  );
  return server;
}

/** Our routes, sessions and transport over the fixtures of the conformance suite. */
export async function startConformanceServer() {
  const service = {
    answer: (request: RouteRequest, _session: unknown, headers = {}) =>
      answerMessage(request, headers, createFixtures()),
    stream: (request: RouteRequest) =>
      openStream(request, createFixtures(), { watch: async () => () => {}, onEnd() {} }),
  };
  const sessions = createSessions({ keyValue: createMemoryKeyValue(), clock: systemClock });
  return createServer({
    ...BARE_SERVER,
    authenticate: () => ({
      userId: 'somebody',
      email: 'somebody@example.com',
      tenantId: 'local',
      role: 'editor',
      tenantRole: 'editor',
      plan: 'free',
    }),
    routes: agentRoutes({ service, sessions, origins: [] }),
  });
}
