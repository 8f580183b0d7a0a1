import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { named } from '../../kit/schemas.ts';

export const listAccessChanges = contract('GET /internal/access-changes', {
  name: 'listAccessChanges',
  auth: 'service',
  tag: 'Between services',
  summary: 'Whose access changed since a number',
  description:
    'For surfaces that check tokens by the published keys: they refuse a token whose claim `seq` is below that of a change of its session (`sid`), user (`sub`) or tenant (`tenant_id`). Changes are kept for longer than any token is good; ask again until none is left. A `latest` below `after` means that the numbers began anew.',
  query: Type.Object({ after: Type.Optional(Type.Integer({ minimum: 0, default: 0 })) }),
  reply: named('AccessChanges', {
    latest: Type.Integer(),
    changes: Type.Array(
      Type.Object({
        seq: Type.Integer(),
        subject: Type.Enum(['session', 'user', 'tenant', 'api_key']),
        subject_id: Type.String(),
      }),
    ),
  }),
  errors: [409],
  example: {
    query: { after: 41 },
    reply: {
      latest: 42,
      changes: [{ seq: 42, subject: 'user', subject_id: '8a52e0d4-6a0f-4a6e-9f0a-0f3c8a1de001' }],
    },
  },
});
