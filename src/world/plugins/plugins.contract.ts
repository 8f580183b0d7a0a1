import { type Static, Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract } from '../../kit/contract.ts';
import { closed, NullableText, named, nullableText, oneOf, Text } from '../../kit/schemas.ts';

const MB = 1024 * 1024;
/** Packed bytes of an upload (spec 2 §8). */
export const LARGEST_PLUGIN_ARCHIVE = 50 * MB;

export const PLUGIN_STATES = ['enabled', 'disabled', 'waiting', 'blocked', 'broken'] as const;
export type PluginState = (typeof PLUGIN_STATES)[number];

const Url = nullableText(
  'Its page, on the origin of the plugin; `theme`, `entity_type` and `entity_id` may be added to the query',
);

const Setting = Type.Object({
  key: Text,
  label: Text,
  type: oneOf([
    'string',
    'text',
    'boolean',
    'integer',
    'number',
    'select',
    'color',
    'secret',
    'object',
    'entity',
    'entity-list',
  ]),
  description: NullableText,
  required: Type.Boolean(),
  default: Type.Unknown(),
  options: Type.Optional(Type.Array(Type.Object({ value: Type.Union([Text, Type.Number()]), label: Text }))),
  min: Type.Optional(Type.Number()),
  max: Type.Optional(Type.Number()),
});

const Problem = Type.Object({
  severity: oneOf(['error', 'warning']),
  message: Text,
  path: Type.String({ description: 'Of the file that has the fault' }),
  pointer: Type.String({ description: 'JSON pointer; empty for the whole file' }),
  line: Type.Integer({ minimum: 1 }),
  column: Type.Integer({ minimum: 1 }),
});

const PluginPermission = Type.Object({
  permission: Type.String({ description: 'In its normal form, such as `entities:write`' }),
  needs_consent: Type.Boolean({ description: 'Whether an admin must agree first' }),
  state: oneOf(['granted', 'refused', 'asked']),
  answered_by: nullableText('The admin who agreed or refused; null where nobody was asked'),
  answered_at: NullableText,
});

export const Plugin = named('Plugin', {
  id: Text,
  name: Text,
  version: Text,
  description: Text,
  trust_tier: Text,
  author: NullableText,
  license: NullableText,
  icon: NullableText,
  homepage: NullableText,
  category: NullableText,
  accent_color: NullableText,
  type: NullableText,
  state: {
    ...oneOf(PLUGIN_STATES),
    description:
      '`waiting` for an admin’s answer to its permissions; `blocked` by the tenant’s allowlist; `broken`: its `plugin.json` cannot be read',
  },
  problems: Type.Array(Problem),
  permissions: Type.Array(PluginPermission),
  origin: nullableText(
    'The origin of its pages, which no other plugin shares; null where they are served in a sandbox without one',
  ),
  panels: Type.Array(
    Type.Object({
      id: Text,
      title: Text,
      location: oneOf(['entity-sidebar', 'entity-tab', 'entity-footer']),
      entity_types: Type.Array(Text, { description: 'None means all' }),
      icon: NullableText,
      url: Url,
    }),
  ),
  widgets: Type.Array(
    Type.Object({
      id: Text,
      label: Text,
      category: NullableText,
      accepts_options: Type.Boolean(),
      value_type: NullableText,
      url: Url,
    }),
  ),
  pages: Type.Array(Type.Object({ id: Text, title: Text, route: Text, icon: NullableText, url: Url })),
  commands: Type.Array(Type.Object({ id: Text, title: Text, icon: NullableText, url: Url })),
  settings: Type.Object({ global: Type.Array(Setting), user: Type.Array(Setting) }),
  has_guest: Type.Boolean({ description: 'Whether it has code that runs in the service' }),
  installed_at: nullableText('Null for a folder that was put into `_Plugins` by hand'),
  installed_by: nullableText('The user who uploaded it'),
});
export type PluginReply = Static<typeof Plugin>;

const params = Type.Object({ id: Type.String({ maxLength: 64 }) });
const exampleParams = { id: 'word-count' };
const url = 'http://p1-3f9a2c51b07d4e68.localhost:8000/api/plugins/panel/word-count/goals/';
export const examplePlugin: PluginReply = {
  id: 'word-count',
  name: 'Word count',
  version: '1.0.0',
  description: 'Counts words, and shows how far a goal is.',
  trust_tier: 'community',
  author: 'Mira Voss',
  license: 'MIT',
  icon: null,
  homepage: null,
  category: 'writing',
  accent_color: null,
  type: 'panel',
  state: 'enabled',
  problems: [],
  permissions: [
    {
      permission: 'entities:read',
      needs_consent: false,
      state: 'granted',
      answered_by: null,
      answered_at: null,
    },
  ],
  origin: 'http://p1-3f9a2c51b07d4e68.localhost:8000',
  panels: [{ id: 'goals', title: 'Goals', location: 'entity-sidebar', entity_types: [], icon: null, url }],
  widgets: [],
  pages: [],
  commands: [],
  settings: {
    global: [
      {
        key: 'daily_goal',
        label: 'Words a day',
        type: 'integer',
        description: null,
        required: false,
        default: 500,
      },
    ],
    user: [],
  },
  has_guest: false,
  installed_at: '2026-03-02T10:15:00.000Z',
  installed_by: '0c6f2e0e-8f61-4b2f-9a44-2a7c3e7f9f11',
};

export const reads = { auth: 'bearer', project: true, tag: 'Plugins' } as const;
const manages = { ...reads, role: PERMISSIONS.manage_settings } as const;
const ofOne = { params, errors: [404], example: { params: exampleParams, reply: examplePlugin } } as const;

export const listPlugins = contract('GET /api/plugins', {
  ...reads,
  name: 'listPlugins',
  summary: 'List the plugins of a project',
  description:
    'Each folder of `_Plugins` is one, whether it was uploaded or put there by hand. One that cannot be read is listed with what is wrong.',
  reply: Type.Object({ plugins: Type.Array(Plugin) }),
  example: { reply: { plugins: [examplePlugin] } },
});

export const getPlugin = contract('GET /api/plugins/{id}', {
  ...reads,
  ...ofOne,
  name: 'getPlugin',
  summary: 'A plugin',
  reply: Plugin,
});

export const uploadPlugin = contract('POST /api/plugins/upload', {
  ...manages,
  name: 'uploadPlugin',
  summary: 'Install a plugin from a .zip or .tar.gz',
  description:
    'Of up to 50 MiB packed and 100 MiB unpacked, with `plugin.json` at its root or in its only folder. It is installed into `_Plugins/{id}/` of the project in one step: a failed upload changes nothing. The same id again replaces the files; the former ones go to the recycle bin, settings and data stay. Nothing is published.',
  files: { file: { description: '`.zip` or `.tar.gz`', maxBytes: LARGEST_PLUGIN_ARCHIVE } },
  status: 201,
  reply: Plugin,
  errors: [400, 403, 409, 413],
  example: { reply: examplePlugin },
});

export const enablePlugin = contract('POST /api/plugins/{id}/enable', {
  ...manages,
  ...ofOne,
  name: 'enablePlugin',
  summary: 'Enable a plugin',
  reply: Plugin,
});

export const disablePlugin = contract('POST /api/plugins/{id}/disable', {
  ...manages,
  ...ofOne,
  name: 'disablePlugin',
  summary: 'Disable a plugin: nothing of it is shown or runs',
  reply: Plugin,
});

export const deletePlugin = contract('DELETE /api/plugins/{id}', {
  ...manages,
  name: 'deletePlugin',
  summary: 'Remove a plugin',
  description:
    'Its folder goes to the recycle bin. Settings and data stay for a later installation unless `purge` is set; what it was granted ends.',
  params,
  query: Type.Object({
    purge: Type.Optional(Type.Boolean({ default: false, description: 'Delete its settings and data too' })),
  }),
  reply: Type.Object({ message: Text }),
  errors: [404],
  example: {
    params: exampleParams,
    reply: { message: '_Plugins/word-count was moved to the recycle bin' },
  },
});

const Grants = Type.Object({ permissions: Type.Array(PluginPermission) });
const exampleGrants = { permissions: examplePlugin.permissions };

export const listPluginGrants = contract('GET /api/plugins/{id}/grants', {
  ...manages,
  name: 'listPluginGrants',
  summary: 'What a plugin wants, and what it was granted by whom',
  params,
  reply: Grants,
  errors: [404],
  example: { params: exampleParams, reply: exampleGrants },
});

export const grantToPlugin = contract('POST /api/plugins/{id}/grants', {
  ...manages,
  name: 'grantToPlugin',
  summary: 'Answer what a plugin wants',
  description:
    '`permissions` names what it may do from now on, of what needs consent. Everything else that it wants is refused by this, until it is granted by another call. An update that wants more waits for another answer.',
  params,
  body: closed({ permissions: Type.Array(Type.String({ maxLength: 300 }), { maxItems: 100 }) }),
  reply: Grants,
  errors: [404],
  example: { params: exampleParams, body: { permissions: [] }, reply: exampleGrants },
});

const Policy = Type.Object({
  allowed: Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string', maxLength: 64 },
    maxItems: 1_000,
    description: 'Ids of plugins that may be installed and run in all projects; null: any',
  }),
});

export const getPluginPolicy = contract('GET /api/plugins/policy', {
  ...reads,
  name: 'getPluginPolicy',
  summary: 'Which plugins the tenant allows',
  reply: Policy,
  example: { reply: { allowed: null } },
});

export const setPluginPolicy = contract('PUT /api/plugins/policy', {
  ...manages,
  name: 'setPluginPolicy',
  summary: 'Set which plugins the tenant allows',
  description: 'Installed plugins that are not on the list are blocked: nothing of them is shown or runs.',
  body: closed(Policy.properties),
  reply: Policy,
  example: { body: { allowed: ['word-count'] }, reply: { allowed: ['word-count'] } },
});
