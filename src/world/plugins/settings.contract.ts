import { Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract } from '../../kit/contract.ts';
import { reads } from './plugins.contract.ts';

const Values = Type.Record(Type.String(), Type.Unknown(), {
  description: 'By key. Secrets are masked: `••••` if one is set, else null',
});

const some = {
  ...reads,
  params: Type.Object({ id: Type.String({ maxLength: 64 }) }),
  reply: Values,
  errors: [404],
} as const;
const example = { params: { id: 'word-count' }, reply: { daily_goal: 500, api_key: '••••' } };
const changes = {
  errors: [404, 409],
  body: Values,
  description:
    'Only the given keys change, and null sets one back to its default. What GET replied can be sent back: a masked secret stays. 409 as long as the manifest cannot be read.',
  example: { ...example, body: { daily_goal: 500 } },
} as const;

export const getPluginSettings = contract('GET /api/plugins/{id}/settings', {
  ...some,
  name: 'getPluginSettings',
  summary: 'The settings of a plugin in this project',
  example,
});

export const setPluginSettings = contract('PUT /api/plugins/{id}/settings', {
  ...some,
  ...changes,
  role: PERMISSIONS.manage_settings,
  name: 'setPluginSettings',
  summary: 'Change the settings of a plugin in this project',
});

export const getPluginUserSettings = contract('GET /api/plugins/{id}/settings/user', {
  ...some,
  name: 'getPluginUserSettings',
  summary: 'Your own settings of a plugin in this project',
  query: Type.Object({
    effective: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'What counts for you: the settings of the project too, and their value for a key of which you have set none. Without secrets',
      }),
    ),
  }),
  example,
});

export const setPluginUserSettings = contract('PUT /api/plugins/{id}/settings/user', {
  ...some,
  ...changes,
  name: 'setPluginUserSettings',
  summary: 'Change your own settings of a plugin in this project',
});
