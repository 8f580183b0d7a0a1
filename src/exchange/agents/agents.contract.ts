import { Type } from 'typebox';
import { contract, noReply } from '../../kit/contract.ts';
import { Text } from '../../kit/schemas.ts';

const RequestId = Type.Union([Text, Type.Integer()]);

/** A message of JSON-RPC 2.0. Batches are not taken: the protocol has dropped them. */
const Message = Type.Object({
  jsonrpc: Type.Literal('2.0'),
  id: Type.Optional(RequestId),
  method: Type.Optional(Type.String({ maxLength: 200 })),
  params: Type.Optional(Type.Record(Text, Type.Unknown())),
  result: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Unknown()),
});

const shared = { auth: 'bearer', project: true, anyScope: true, tag: 'Agents' } as const;

export const postMcp = contract('POST /api/mcp', {
  ...shared,
  name: 'postMcp',
  summary: 'Send a message of the Model Context Protocol',
  description:
    'Streamable HTTP, for agents: a JSON-RPC message in, its answer out, as JSON or, for `tools/call`, as an event stream. Notifications are answered with 202. `initialize` opens a session, named by the reply header `Mcp-Session-Id`, which every later message must send back; 404 says that it has ended. Tools have the rights of the token: a key that may only read sees only what reads. Changes wait as one change set per session until somebody accepts it, unless the key has the scope `write:direct`. Send the token in `Authorization`; cookies do not count.',
  body: Message,
  bodyLimit: 16 * 1024 * 1024,
  reply: Type.Unknown(),
  errors: [400, 404, 413],
  example: {
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'my-agent', version: '1.0.0' },
      },
    },
    reply: {
      jsonrpc: '2.0',
      id: 1,
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'canonry', version: '1.0.0' },
      },
    },
  },
});

export const streamMcp = contract('GET /api/mcp', {
  ...shared,
  name: 'streamMcp',
  summary: 'Hear what changes, as an agent',
  description:
    'The event stream of a session: which resources changed, and when their list did. One stream per session, for half an hour; then clients open it again.',
  reply: Text,
  replyType: 'text/event-stream',
  errors: [400, 404],
  example: { reply: 'data: {"jsonrpc":"2.0","method":"notifications/resources/list_changed"}\n\n' },
});

export const endMcp = contract('DELETE /api/mcp', {
  ...shared,
  name: 'endMcp',
  summary: 'End an agent’s session',
  description: 'Its change set stays for somebody to accept or reject.',
  status: 204,
  reply: noReply,
  errors: [400, 404],
  example: { reply: null },
});
