import { Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract } from '../../kit/contract.ts';

const LogName = Type.String({
  maxLength: 64,
  description: '`backend-api`, `ai-service` or `frontend-studio`',
});

const shared = { auth: 'bearer', role: PERMISSIONS.read_logs, tag: 'Operations' } as const;

export const listLogs = contract('GET /api/services/logs/list', {
  ...shared,
  name: 'listLogs',
  summary: 'Logs that there are',
  reply: Type.Object({
    logs: Type.Array(
      Type.Object({
        name: Type.String(),
        size_bytes: Type.Integer(),
        modified_at: Type.String({ format: 'date-time' }),
      }),
    ),
  }),
  example: {
    reply: { logs: [{ name: 'backend-api', size_bytes: 18_204, modified_at: '2026-03-02T10:15:00.000Z' }] },
  },
});

/** The levels of the log itself, and `warn` for short, in either case. */
export const LOG_LEVEL_WORDS = [
  'debug',
  'info',
  'warning',
  'warn',
  'error',
  'DEBUG',
  'INFO',
  'WARNING',
  'WARN',
  'ERROR',
] as const;

export const readLog = contract('GET /api/services/logs/{log_name}', {
  ...shared,
  name: 'readLog',
  summary: 'The last lines of a log',
  description: 'Oldest first. A line reads `YYYY-MM-DD HH:MM:SS | LEVEL | source | message`, in UTC.',
  params: Type.Object({ log_name: LogName }),
  query: Type.Object({
    lines: Type.Optional(Type.Integer({ minimum: 1, maximum: 5000, default: 200 })),
    level: Type.Optional(Type.Enum(LOG_LEVEL_WORDS, { description: 'The lowest level to show' })),
    search: Type.Optional(
      Type.String({ maxLength: 200, description: 'Text that a line must contain, in any case' }),
    ),
  }),
  reply: Type.Object({ log_name: Type.String(), lines: Type.Array(Type.String()) }),
  errors: [404],
  example: {
    params: { log_name: 'backend-api' },
    query: { lines: 50, level: 'warning', search: 'sync' },
    reply: {
      log_name: 'backend-api',
      lines: [
        '2026-03-02 10:15:00 | WARNING | mirror | Characters/mira_vale/CH_mira_vale.md:4: bad indentation',
      ],
    },
  },
});

export const clearLog = contract('POST /api/services/logs/{log_name}/clear', {
  ...shared,
  name: 'clearLog',
  summary: 'Empty a log',
  params: Type.Object({ log_name: LogName }),
  reply: Type.Object({ log_name: Type.String(), message: Type.String() }),
  errors: [404],
  example: {
    params: { log_name: 'backend-api' },
    reply: { log_name: 'backend-api', message: 'The log backend-api is empty now' },
  },
});
