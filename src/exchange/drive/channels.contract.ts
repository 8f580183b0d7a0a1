import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { NullableText, named, nullableText } from '../../kit/schemas.ts';
import { bySettings, onProject, TAG } from './shared.contract.ts';

const Channel = named('DriveChannel', {
  registered: Type.Boolean({ description: 'The drive tells of changes; else it is asked every minute' }),
  channel_id: NullableText,
  resource_id: NullableText,
  expires_at: nullableText('It is replaced a day before'),
  address: nullableText('Where the drive sends notifications'),
});
const example = {
  registered: true,
  channel_id: '5d0e1f0a-9a53-4c1c-8a3c-2f6f4c3b2a10',
  resource_id: 'o3hgv1538sdjfh',
  expires_at: '2026-03-11T05:06:07.890Z',
  address: 'https://canonry.example.com/api/drive/webhook',
};
const nothing = { registered: false, channel_id: null, resource_id: null, expires_at: null, address: null };

export const receiveDriveNotification = contract('POST /api/drive/webhook', {
  name: 'receiveDriveNotification',
  auth: 'signature',
  tag: TAG,
  summary: 'Hear that something may have changed in a drive',
  description:
    'For the drive alone. `X-Drive-Channel-ID`, `X-Drive-Resource-ID` and the secret in `X-Drive-Channel-Token` name a registered channel (`X-Goog-…` as well); `X-Drive-Resource-State` says what happened. It is a hint: many of them become one run, and unknown ones get the same answer and are ignored.',
  stream: { mediaType: '*/*', description: 'Nothing that counts', isOptional: true },
  bodyLimit: 64 * 1024,
  reply: named('DriveNotification', { received: Type.Boolean() }),
  errors: [413, 503],
  example: { reply: { received: true } },
});

export const registerDriveChannel = contract('POST /api/drive/webhook/register', {
  ...bySettings,
  name: 'registerDriveChannel',
  summary: 'Be told of changes in the drive',
  description:
    'For people, not for API keys. The channel ends after seven days and is replaced a day before, the new one first. 409 unless PUBLIC_URL is an https address.',
  reply: Channel,
  errors: [403, 404, 409, 503],
  example: { reply: example },
});

export const unregisterDriveChannel = contract('DELETE /api/drive/webhook/unregister', {
  ...bySettings,
  name: 'unregisterDriveChannel',
  summary: 'Be told of changes in the drive no more',
  description: 'For people, not for API keys. The drive is then asked every minute.',
  reply: Channel,
  errors: [403, 404, 503],
  example: { reply: nothing },
});

export const getDriveChannel = contract('GET /api/drive/webhook/status', {
  ...onProject,
  name: 'getDriveChannel',
  summary: 'Whether the drive tells of changes',
  reply: Channel,
  errors: [403, 404, 503],
  example: { reply: example },
});
