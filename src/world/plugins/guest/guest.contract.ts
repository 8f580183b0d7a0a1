import { type Static, Type } from 'typebox';
import { PERMISSIONS } from '../../../access/plans.ts';
import { contract } from '../../../kit/contract.ts';
import { Count, nullableInteger, nullableText, oneOf, Text } from '../../../kit/schemas.ts';
import { reads } from '../plugins.contract.ts';

const params = Type.Object({ id: Type.String({ maxLength: 64 }) });
const exampleParams = { id: 'word-count' };

/** From the least to the worst. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
const LOG_KINDS = ['said', 'did', 'refused', 'failed'] as const;

const LogLine = Type.Object({
  seq: Type.Integer({ minimum: 1 }),
  at: Text,
  level: oneOf(LOG_LEVELS),
  kind: {
    ...oneOf(LOG_KINDS),
    description:
      '`said` by the guest itself. `did`: it changed or sent something; `refused`: it asked for what it may not do; `failed`: the call did',
  },
  message: Text,
  call: nullableText('The hook that was called, or `handle-request` for a route; null for a line of no call'),
  about: nullableText('`type/id` of the entity, or method and path of the request'),
  took_ms: nullableInteger('Milliseconds of the whole call, with the wait for a place'),
});
export type PluginLogLine = Static<typeof LogLine>;

export const getPluginLog = contract('GET /api/plugins/{id}/log', {
  ...reads,
  role: PERMISSIONS.manage_settings,
  name: 'getPluginLog',
  summary: 'What a plugin’s guest said and did, newest first',
  description:
    'A call that neither said, changed nor sent anything, and did not fail, leaves no line: `usage` counts all of them. 1,000 lines are kept.',
  params,
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 200 })),
    before: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Only lines that are older than the one with this `seq`' }),
    ),
    level: Type.Optional({ ...oneOf(LOG_LEVELS), description: 'Only lines that are at least this bad' }),
    kind: Type.Optional({ ...oneOf(LOG_KINDS), description: 'Only lines of this kind' }),
  }),
  reply: Type.Object({
    total: { ...Count, description: 'Lines that match, whatever `before` is' },
    lines: Type.Array(LogLine),
  }),
  errors: [404],
  example: {
    params: exampleParams,
    reply: {
      total: 1,
      lines: [
        {
          seq: 7,
          at: '2026-03-02T10:15:00.000Z',
          level: 'info',
          kind: 'said',
          message: 'Counted 1,200 words',
          call: 'on-entity-save',
          about: 'character/mira_vale',
          took_ms: 3,
        },
      ],
    },
  },
});

export const listPluginFindings = contract('GET /api/plugins/findings', {
  ...reads,
  name: 'listPluginFindings',
  summary: 'What plugins find wrong with entities',
  description:
    'Of the stored state of each entity, whichever way it came: a file or an import is reported here and never refused.',
  query: Type.Object({
    entity_type: Type.Optional(Type.String({ maxLength: 200 })),
    entity_id: Type.Optional(Type.String({ maxLength: 500 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
    offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
  }),
  reply: Type.Object({
    total: Count,
    findings: Type.Array(
      Type.Object({
        plugin_id: Text,
        entity_type: Text,
        entity_id: Text,
        name: Text,
        severity: oneOf(['info', 'warning', 'error']),
        field: nullableText('Path of the field; null where it is about the entity'),
        message: Text,
      }),
    ),
  }),
  example: {
    query: { entity_type: 'character', entity_id: 'mira_vale' },
    reply: {
      total: 1,
      findings: [
        {
          plugin_id: 'dialogue-linter',
          entity_type: 'character',
          entity_id: 'mira_vale',
          name: 'Mira Vale',
          severity: 'warning',
          field: 'voice_sample',
          message: 'Mira never says "cheers"',
        },
      ],
    },
  },
});

const LARGEST_BODY = 256 * 1024;
const custom = {
  ...reads,
  params: Type.Object({ ...params.properties, path: Type.String({ maxLength: 1_000 }) }),
  otherQuery: /^/,
  reply: Type.Unsafe<string>({ type: 'string' }),
  replyType: '*/*',
  errors: [404, 409, 502, 504],
  example: { params: { ...exampleParams, path: 'report' } },
} as const;
const withBody = {
  ...custom,
  stream: { mediaType: '*/*', description: 'Text of up to 256 kB', isOptional: true },
  bodyLimit: LARGEST_BODY,
} as const;

export const customGet = contract('GET /api/plugins/{id}/custom/{path}', {
  ...custom,
  name: 'customGet',
  summary: 'A route of a plugin’s own',
  description:
    'Answered by the plugin’s guest within 5 seconds: 504 if it takes longer or breaks a limit, 502 if it fails. What it may read and change is what it was granted, and never more than the caller may.',
});
export const customPost = contract('POST /api/plugins/{id}/custom/{path}', {
  ...withBody,
  name: 'customPost',
  summary: 'A route of a plugin’s own',
});
export const customPut = contract('PUT /api/plugins/{id}/custom/{path}', {
  ...withBody,
  name: 'customPut',
  summary: 'A route of a plugin’s own',
});
export const customPatch = contract('PATCH /api/plugins/{id}/custom/{path}', {
  ...withBody,
  name: 'customPatch',
  summary: 'A route of a plugin’s own',
});
export const customDelete = contract('DELETE /api/plugins/{id}/custom/{path}', {
  ...custom,
  name: 'customDelete',
  summary: 'A route of a plugin’s own',
});
