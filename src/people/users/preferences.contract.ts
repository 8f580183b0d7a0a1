import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';

/** Bytes of JSON. */
export const MOST_PREFERENCES = 64 * 1024;

const Preferences = Type.Record(Type.String(), Type.Unknown());
const preferences = { auth: 'bearer', tag: 'Users' } as const;

export const getPreferences = contract('GET /api/users/preferences', {
  ...preferences,
  name: 'getPreferences',
  summary: "One's own preferences",
  description: 'Whatever the clients of a user keep for that user, under keys of their own.',
  reply: Preferences,
  example: { reply: { theme: 'dark', editor: { wrap: true } } },
});

export const updatePreferences = contract('PATCH /api/users/preferences', {
  ...preferences,
  name: 'updatePreferences',
  summary: "Change one's own preferences",
  description:
    'A JSON merge patch (RFC 7396): objects are merged, `null` removes a key, everything else replaces. All of it is at most 64 kB.',
  body: Preferences,
  bodyLimit: 2 * MOST_PREFERENCES,
  reply: Preferences,
  example: { body: { theme: 'dark', sidebar: null }, reply: { theme: 'dark', editor: { wrap: true } } },
});
