import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { closed, nullableText } from '../../kit/schemas.ts';
import { UserId, userExample } from '../users/users.contract.ts';
import { answerQuery, exampleAnswer, page, providerParams, ReturnTo } from './oauth.contract.ts';

const TAG = 'Connected storage';
const example = { params: { provider: 'google' } };

const Connected = Type.Object({
  provider: Type.String(),
  connected: Type.Boolean(),
  scopes: Type.Array(Type.String()),
  connected_at: Type.Union([Type.String(), Type.Null()]),
});
const connectedExample = {
  provider: 'google',
  connected: true,
  scopes: ['https://www.googleapis.com/auth/drive.file'],
  connected_at: '2026-03-04T05:06:07.890Z',
};

const starts = {
  auth: 'bearer',
  feature: 'cloud_drive',
  tag: TAG,
  description:
    'Open `authorization_url` in the same browser: the reply sets a cookie that the way back needs. It ends at `return_to` with `connected` or `error`.',
  params: providerParams,
  query: Type.Object({ return_to: ReturnTo }),
  reply: Type.Object({
    authorization_url: Type.String(),
    expires_in: Type.Integer({ description: 'Seconds until it can no longer be finished' }),
  }),
  errors: [403, 404, 409, 503],
  example: {
    ...example,
    reply: { authorization_url: 'https://accounts.google.com/o/oauth2/v2/auth?…', expires_in: 600 },
  },
} as const;

const finishes = {
  ...page,
  tag: TAG,
  params: providerParams,
  query: answerQuery,
  errors: [503],
  example: { ...example, query: exampleAnswer },
} as const;

export const startDriveUpgrade = contract('GET /api/auth/oauth/{provider}/drive', {
  ...starts,
  name: 'startDriveUpgrade',
  summary: 'Ask a provider for access to the files that Canonry makes there',
});

export const finishDriveUpgrade = contract('GET /api/auth/oauth/{provider}/drive/callback', {
  ...finishes,
  name: 'finishDriveUpgrade',
  auth: 'bearer',
  summary: 'Where the provider sends people back after the access to files',
  description: 'The caller, by cookie or token, must be the one who started.',
});

export const getStorageConnections = contract('GET /api/auth/storage-oauth/status', {
  name: 'getStorageConnections',
  auth: 'bearer',
  tag: TAG,
  summary: "The caller's connections to files at providers",
  description: 'Tokens are never shown.',
  reply: Type.Object({
    connections: Type.Array(
      Type.Object({
        ...Connected.properties,
        problem: nullableText('Why the provider ended the connection, until it is made or removed again'),
      }),
    ),
  }),
  example: { reply: { connections: [{ ...connectedExample, problem: null }] } },
});

export const startStorageConnection = contract('GET /api/auth/storage-oauth/{provider}', {
  ...starts,
  name: 'startStorageConnection',
  summary: 'Connect files at a provider',
});

export const removeStorageConnection = contract('DELETE /api/auth/storage-oauth/{provider}', {
  name: 'removeStorageConnection',
  auth: 'bearer',
  tag: TAG,
  summary: 'Disconnect files at a provider',
  description: 'The tokens are deleted here and revoked there.',
  params: providerParams,
  reply: Type.Object({ message: Type.String() }),
  errors: [403, 404],
  example: { ...example, reply: { message: 'google is disconnected' } },
});

export const finishStorageConnection = contract('GET /api/auth/storage-oauth/{provider}/callback', {
  ...finishes,
  name: 'finishStorageConnection',
  auth: 'none',
  summary: 'Where the provider sends people back after connecting files',
});

export const exchangeStorageCode = contract('POST /internal/storage-oauth/{provider}/exchange', {
  name: 'exchangeStorageCode',
  auth: 'service',
  tag: TAG,
  summary: 'Exchange a code for tokens, which are kept here',
  description:
    'For the surface that sent somebody to the provider: it has checked the state. Only this service writes tokens.',
  params: providerParams,
  body: closed({
    user_id: UserId,
    code: Type.String({ minLength: 1, maxLength: 4096 }),
    redirect_uri: Type.String({ pattern: '^https?://', maxLength: 2048 }),
    code_verifier: Type.String({ pattern: '^[A-Za-z0-9._~-]{43,128}$' }),
    iss: Type.Optional(Type.String({ maxLength: 2048 })),
  }),
  reply: Connected,
  errors: [403, 404, 409, 503],
  example: {
    ...example,
    body: {
      user_id: userExample.user_id,
      code: '4/0AbCd',
      redirect_uri: 'https://core.example.com/api/drive/callback',
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    },
    reply: connectedExample,
  },
});
