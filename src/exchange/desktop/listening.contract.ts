import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { NullableText, named } from '../../kit/schemas.ts';
import { local } from './desktop-projects.contract.ts';

const listening = {
  ...local,
  reply: named('CloudEvents', {
    state: Type.Enum(['off', 'connecting', 'connected', 'waiting'], {
      description: '`waiting`: for the next try',
    }),
    project: NullableText,
    cloud_url: NullableText,
    connected_at: NullableText,
    events: Type.Integer({ minimum: 0, description: 'Heard since it was asked for' }),
    error: { ...NullableText, description: 'Why there is no connection' },
    next_try_at: NullableText,
  }),
} as const;
const example = {
  state: 'connected',
  project: 'low-water',
  cloud_url: 'https://canonry.example.com',
  connected_at: '2026-03-02T10:15:00.000Z',
  events: 0,
  error: null,
  next_try_at: null,
};

export const connectToCloud = contract('POST /api/desktop/ws/connect', {
  ...listening,
  name: 'connectToCloud',
  summary: 'Listen to changes in the cloud as they happen',
  description:
    'Each is a hint to sync at once. Others see the install online meanwhile (`GET /api/desktop/sync/presence` there). A lost connection is made again, and what happened in between is caught up with.',
  errors: [409],
  example: { reply: example },
});

export const disconnectFromCloud = contract('POST /api/desktop/ws/disconnect', {
  ...listening,
  name: 'disconnectFromCloud',
  summary: 'Stop listening to changes in the cloud',
  example: {
    reply: { ...example, state: 'off', project: null, cloud_url: null, connected_at: null },
  },
});
