import { Type } from 'typebox';
import { PLAN_NAMES, ROLES } from '../../access/plans.ts';
import { contract } from '../../kit/contract.ts';
import { closed, named } from '../../kit/schemas.ts';

const Role = Type.Enum([...ROLES]);

export const introspectApiKey = contract('POST /internal/api-keys/introspect', {
  name: 'introspectApiKey',
  auth: 'service',
  tag: 'Between services',
  summary: 'What an API key stands for',
  description:
    "For surfaces that let an API key stand where an access token does. `key` is null for text that is no key, or none that is good. Roles are what the scopes leave of the owner's. An answer may be remembered for four seconds.",
  body: closed({ key: Type.String({ minLength: 1, maxLength: 200 }) }),
  reply: named('ApiKeyIntrospection', {
    key: Type.Union([
      Type.Null(),
      Type.Object({
        key_id: Type.String(),
        user_id: Type.String(),
        email: Type.String(),
        tenant_id: Type.String(),
        role: Role,
        tenant_role: Role,
        plan: Type.Enum([...PLAN_NAMES]),
        overrides: Type.Record(Type.String(), Type.Union([Type.Boolean(), Type.Integer()])),
        may_only_read: Type.Boolean(),
        may_write_directly: Type.Optional(
          Type.Boolean({ description: 'Left out by services that do not know the scope `write:direct` yet' }),
        ),
        expires_at: Type.Union([Type.String(), Type.Null()]),
      }),
    ]),
  }),
  errors: [409],
  example: {
    body: { key: 'cnry_3q2-7wEjRWeJq83vASNFZ4mrze8BI0VniavN7wEjRWc' },
    reply: {
      key: {
        key_id: '5d1f7a3c-0f4e-4f7a-9a53-6a2f8c1e2b10',
        user_id: '8a52e0d4-6a0f-4a6e-9f0a-0f3c8a1de001',
        email: 'mara@example.com',
        tenant_id: '0b7c5f1e-8f57-4a53-9d2b-3a3f0f6d2c11',
        role: 'editor',
        tenant_role: 'editor',
        plan: 'team',
        overrides: {},
        may_only_read: false,
        may_write_directly: false,
        expires_at: null,
      },
    },
  },
});
