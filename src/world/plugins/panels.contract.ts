import { Type } from 'typebox';
import { contract, projectIdSchema } from '../../kit/contract.ts';

const params = { pluginId: Type.String({ maxLength: 64 }), panelId: Type.String({ maxLength: 64 }) };
const example = { pluginId: 'word-count', panelId: 'goals' };

const serves = {
  auth: 'none',
  tag: 'Plugins',
  reply: Type.Unsafe<string>({ type: 'string' }),
  errors: [404],
} as const;

export const getPluginPanel = contract('GET /api/plugins/panel/{pluginId}/{panelId}', {
  ...serves,
  name: 'getPluginPanel',
  summary: 'The page of a panel, widget or command of a plugin',
  description:
    'With a content security policy that leaves it no network but its own files and the hosts it was granted, the variables of the theme, and `window.PLUGIN_CONTEXT`. On the origin of the plugin it may use what browsers keep for an origin; elsewhere the policy is a sandbox without `allow-same-origin`. Where `PLUGIN_ORIGIN` is set, other origins answer with a redirect.',
  params: Type.Object(params),
  query: Type.Object({
    project_id: Type.Optional(
      projectIdSchema('For a service of one tenant, in an address without the label of a project'),
    ),
    entity_type: Type.Optional(Type.String({ maxLength: 200 })),
    entity_id: Type.Optional(Type.String({ maxLength: 500 })),
    theme: Type.Optional(Type.Enum(['light', 'dark'])),
  }),
  replyType: 'text/html',
  example: { params: example },
});

export const getPluginFile = contract('GET /api/plugins/panel/{pluginId}/{panelId}/{path}', {
  ...serves,
  name: 'getPluginFile',
  summary: 'A file that a page of a plugin loads, from the folder of that page',
  params: Type.Object({ ...params, path: Type.String({ maxLength: 1_000 }) }),
  replyType: '*/*',
  example: { params: { ...example, path: 'goals.js' } },
});
