import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { named } from '../../kit/schemas.ts';
import { exampleWatcher, Watcher } from '../../world/mirror/sync.contract.ts';
import { local } from './desktop-projects.contract.ts';

const watcher = {
  ...local,
  reply: named('DesktopWatcher', {
    project: Type.String({ description: 'The active project' }),
    paused: Type.Boolean({ description: 'Whether it was stopped here' }),
    ...Watcher.properties,
  }),
  errors: [503],
  example: {
    reply: { project: 'low-water', paused: false, ...exampleWatcher },
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
