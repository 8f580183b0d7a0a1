import { Type } from 'typebox';
import { PERMISSIONS } from '../../../access/plans.ts';
import { contract } from '../../../kit/contract.ts';
import { closed, Text } from '../../../kit/schemas.ts';

export const addShippedTemplates = contract('POST /api/templates/shipped', {
  name: 'addShippedTemplates',
  auth: 'bearer',
  role: PERMISSIONS.manage_templates,
  project: true,
  tag: 'Templates',
  summary: 'Add the templates that Canonry brings along',
  description:
    'Of all types, or of those in a starter pack, as far as the project lacks them: no file is replaced. They come into `_Templates/Standard`.',
  body: closed(
    {
      pack_id: Type.Optional(
        Type.String({ maxLength: 64, description: 'One of `GET /api/tenant/starter-packs`' }),
      ),
    },
    { $id: 'ShippedTemplatesBody' },
  ),
  reply: Type.Object({
    added: Type.Array(Text, { description: 'Types that the project has now and did not have before' }),
    total: Type.Integer({ description: 'Types that the project has' }),
  }),
  errors: [404],
  example: {
    body: { pack_id: 'starter-locations' },
    reply: { added: ['location', 'district'], total: 2 },
  },
});
