import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { NullableText } from '../../kit/nullable.ts';
import { named } from '../../kit/object-schemas.ts';
import { local } from './desktop-projects.contract.ts';

const watcher = {
  ...local,
  reply: named('DesktopWatcher', {
    project: Type.String({ description: 'The active project' }),
    running: Type.Boolean(),
    paused: Type.Boolean({ description: 'Whether it was stopped here' }),
    backend: Type.String(),
    events_seen: Type.Integer({ minimum: 0 }),
    last_event_at: NullableText,
    losses: Type.Integer({ minimum: 0 }),
    error: NullableText,
    last_full_sync_at: NullableText,
  }),
  errors: [503],
  example: {
    reply: {
      project: 'low-water',
      running: true,
      paused: false,
      backend: '@parcel/watcher',
      events_seen: 12,
      last_event_at: '2026-03-02T10:15:00.000Z',
      losses: 0,
      error: null,
      last_full_sync_at: '2026-03-02T10:15:00.420Z',
    },
  },
} as const;

export const getWatcher = contract('GET /api/desktop/watcher/status', {
  ...watcher,
  name: 'getWatcher',
  summary: 'Whether the folder of the active project is watched',
});

export const startWatcher = contract('POST /api/desktop/watcher/start', {
  ...watcher,
  name: 'startWatcher',
  summary: 'Follow changes in the folder again',
  description: 'What changed meanwhile is taken in.',
});

export const stopWatcher = contract('POST /api/desktop/watcher/stop', {
  ...watcher,
  name: 'stopWatcher',
  summary: 'Leave changes in the folder alone for a while',
  description:
    'As before switching a branch in it: until it is started again, or the project is opened anew, files are read on request alone (`…/scan`, and an entity that is changed here).',
});
