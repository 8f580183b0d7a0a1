import { type TSchema, Type } from 'typebox';
import { type Contract, contract } from '../../kit/contract.ts';
import { NullableText, named, Text } from '../../kit/schemas.ts';

const Attendant = named('Attendant', {
  user_id: Text,
  user_name: Text,
  status: Type.Enum(['online', 'idle', 'editing']),
  entity_type: NullableText,
  entity_id: NullableText,
  field: { ...NullableText, description: 'Where in the entity, if they said' },
  project_id: Text,
  client: Type.Enum(['web', 'desktop']),
  last_seen: Type.String({ format: 'date-time' }),
});

const EXAMPLE = {
  user_id: '8a52e0d4-6a0f-4a6e-9f0a-0f3c8a1de001',
  user_name: 'Ada',
  status: 'editing',
  entity_type: 'character',
  entity_id: 'mira_voss',
  field: 'markdown_body',
  project_id: 'default',
  client: 'web',
  last_seen: '2026-03-01T12:00:00.000Z',
};

const People = named('Presence', { users: Type.Array(Attendant), total: Type.Integer() });

const presence = {
  auth: 'bearer',
  tag: 'Realtime',
  reply: People,
  errors: [503],
  example: { reply: { users: [EXAMPLE], total: 1 } },
} as const satisfies Partial<Contract<TSchema>>;

export const listPresence = contract('GET /api/presence', {
  ...presence,
  name: 'listPresence',
  summary: 'Who is here',
  description:
    'People with an open WebSocket, each once, by what they do most. People whose connection breaks disappear within 45 seconds.',
});

export const listEditing = contract('GET /api/presence/editing', {
  ...presence,
  name: 'listEditing',
  summary: 'Who edits what',
  description: 'One entry a connection that edits. It tells others; nothing is locked.',
  reply: named('Editing', { editing: Type.Array(Attendant), total: Type.Integer() }),
  example: { reply: { editing: [EXAMPLE], total: 1 } },
});

export const listTenantPresence = contract('GET /api/presence/{tenant_id}', {
  ...presence,
  name: 'listTenantPresence',
  summary: 'Who of a tenant is online',
  params: Type.Object({ tenant_id: Text }),
  errors: [404, 503],
  example: { params: { tenant_id: 'local' }, reply: { users: [EXAMPLE], total: 1 } },
});

export const getDesktopPresence = contract('GET /api/desktop/sync/presence', {
  ...presence,
  name: 'getDesktopPresence',
  feature: 'cloud_sync',
  summary: 'Which desktop installs are connected',
  reply: named('DesktopPresence', { online: Type.Boolean(), sessions: Type.Array(Attendant) }),
  example: { reply: { online: true, sessions: [{ ...EXAMPLE, client: 'desktop' }] } },
});
