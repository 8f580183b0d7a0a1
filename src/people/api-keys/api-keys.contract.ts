import { Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { SCOPES } from '../../access/scopes.ts';
import { contract } from '../../kit/contract.ts';
import { closed } from '../../kit/schemas.ts';

const TAG = 'API keys';
const Scopes = Type.Array(Type.Enum([...SCOPES]), { minItems: 1, maxItems: SCOPES.length });
const Time = Type.Union([Type.String(), Type.Null()]);

const ApiKey = {
  key_id: Type.String(),
  name: Type.String(),
  key_start: Type.String({ description: 'The first characters, to tell the key by' }),
  scopes: Scopes,
  created_at: Type.String(),
  expires_at: Time,
  last_used_at: Time,
};
const example = {
  key_id: '7b1f0f7e-52a4-4f6b-8f0a-0c2d4e6f8a1b',
  name: 'Build pipeline',
  key_start: 'cnry_Yk1T0Zq7',
  scopes: ['read'],
  created_at: '2026-03-04T05:06:07.890Z',
  expires_at: null,
  last_used_at: null,
};

export const createApiKey = contract('POST /api/api-keys', {
  name: 'createApiKey',
  peopleOnly: true,
  auth: 'bearer',
  role: PERMISSIONS.manage_api_keys,
  tag: TAG,
  summary: 'Make an API key',
  description:
    "The reply holds the key, which is shown only now; send it as `Authorization: Bearer <key>`. It may do what its scopes allow (`read`, `write`, `admin`, each with those before it) and never more than its owner. What agents change with a key waits for somebody to accept it, unless the key has `write:direct`, which is `write` without that review. Without `scopes` a key gets those of its owner's role, and the reply says which. No key manages people or keys. It ends when it is deleted, at `expires_at`, and with the owner's sessions: when the account is closed or its password changes.",
  body: closed({
    name: Type.String({ minLength: 1, maxLength: 100 }),
    scopes: Type.Optional(Scopes),
    expires_at: Type.Optional(Type.String({ format: 'date-time', description: 'For ever unless given' })),
  }),
  reply: Type.Object({ ...ApiKey, key: Type.String() }),
  status: 201,
  errors: [403, 409],
  example: {
    body: { name: 'Build pipeline', scopes: ['read'] },
    reply: { ...example, key: 'cnry_Yk1T0Zq7v3l9o2c4d5e6f7g8h9i0j1k2l3m4n5o6p7q' },
  },
});

export const listApiKeys = contract('GET /api/api-keys', {
  name: 'listApiKeys',
  auth: 'bearer',
  role: PERMISSIONS.manage_api_keys,
  tag: TAG,
  summary: "One's own API keys that are good, the newest first",
  reply: Type.Object({ api_keys: Type.Array(Type.Object(ApiKey)) }),
  example: { reply: { api_keys: [example] } },
});

export const deleteApiKey = contract('DELETE /api/api-keys/{key_id}', {
  name: 'deleteApiKey',
  peopleOnly: true,
  auth: 'bearer',
  tag: TAG,
  summary: "End one of one's own API keys",
  description: 'It counts at once here and within five seconds in other processes.',
  params: Type.Object({ key_id: Type.String({ maxLength: 64 }) }),
  reply: Type.Object({ message: Type.String() }),
  errors: [404],
  example: { params: { key_id: example.key_id }, reply: { message: 'The API key has ended' } },
});
