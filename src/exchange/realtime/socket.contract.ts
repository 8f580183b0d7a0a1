import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { named } from '../../kit/schemas.ts';

const Text = (description: string) => Type.Optional(Type.String({ description }));

export const openSocket = contract('GET /api/ws', {
  name: 'openSocket',
  auth: 'ws',
  tag: 'Realtime',
  summary: 'Events as they happen, by WebSocket',
  description: `Say who you are by the query \`token\` (an access token or API key), by a one-use \`ticket\`, or by \`{"type": "auth", "token": "…"}\` as the first message within 10 seconds; else the connection closes with 4401.
The first thing you hear is \`{"type": "ready", user_id, project_id, cursor}\`, then the events of the project that the query \`project_id\` names: \`entity_updated\`, \`sync_completed\`, \`asset_processed\`, \`presence_update\` and \`brainbits_deducted\`, and \`operation_progress\` (\`operation_id, kind, label, status, done, total, timestamp\`) while an import or another large operation runs, and at its end. \`brainbits_deducted\` is a hint that a crash can lose: the balance is at \`GET /api/billing/credits\`.
With the query \`cursor\` (of an earlier \`ready\`, event or \`GET /api/events\`; empty: from now on) what happened since comes first, none left out and none twice, and each event of the log has its \`cursor\`. \`{"type": "catch_up", cursor}\` means that you were too slow or too far behind, or that too much happened: read \`GET /api/events\` from there.
Send \`{"type": "presence", status, entity_type?, entity_id?, field?}\` (\`online\`, \`idle\` or \`editing\`) to show others what you do; nothing is locked by it. Send \`{"type": "subscribe", types?, entity_types?, entities?}\` to hear less, \`{"type": "ping"}\` to hear \`pong\`, and a fresh token by \`auth\` before the old one ends: a connection ends with its token, and within 5 seconds of a lost access. Messages are at most 16 kB.`,
  query: Type.Object({
    token: Text('Access token or API key'),
    ticket: Text('Of `POST /api/ws/ticket`'),
    project_id: Text('Project; `default` unless said'),
    cursor: Text('Where to go on'),
    client: Text('`desktop` for a desktop install; shown beside who is here'),
  }),
  reply: Type.Object({}),
  errors: [426],
  example: { query: { cursor: '' }, reply: {} },
});

export const makeSocketTicket = contract('POST /api/ws/ticket', {
  name: 'makeSocketTicket',
  auth: 'bearer',
  tag: 'Realtime',
  summary: 'A ticket for one WebSocket',
  description:
    'For browsers, whose WebSockets cannot send headers: it stands for your token in the address, where logs see it, and is good once.',
  reply: named('SocketTicket', {
    ticket: Type.String(),
    expires_in: Type.Integer({ description: 'Seconds' }),
  }),
  status: 201,
  errors: [503],
  example: { reply: { ticket: 'q7Zt0mX2cJrV9b', expires_in: 30 } },
});
