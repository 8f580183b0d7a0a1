import { Type } from 'typebox';
import { DRIVE_FILE_SCOPE } from '../../access/drive-accounts.ts';
import { contract } from '../../kit/contract.ts';
import { closed, NullableText, nullableText } from '../../kit/schemas.ts';
import { UserId, userExample } from '../users/users.contract.ts';
import { providerParams } from './oauth.contract.ts';

const shared = { auth: 'service', tag: 'Connected storage' } as const;
const params = { provider: 'google' };
const { user_id } = userExample;

/** It becomes part of a header. */
const Token = Type.String({ pattern: '^[!-~]{1,4096}$' });

const Consent = Type.Object({
  provider: nullableText('For the addresses of the other routes; null if none is configured'),
  configured: Type.Boolean(),
  connected: Type.Boolean(),
  scopes: Type.Array(Type.String()),
  expires_at: NullableText,
  refreshed_at: nullableText('Null if the tokens are as the provider first gave them'),
  problem: nullableText('Why the provider ended the connection, for users'),
});
const consentExample = {
  provider: 'google',
  configured: true,
  connected: true,
  scopes: [DRIVE_FILE_SCOPE],
  expires_at: '2026-03-04T06:06:07.890Z',
  refreshed_at: null,
  problem: null,
};
const disconnectedExample = { ...consentExample, connected: false, scopes: [], expires_at: null };

export const getDriveConsent = contract('POST /internal/storage-oauth/status', {
  ...shared,
  name: 'getDriveConsent',
  summary: "A user's consent to the drive that this installation can use",
  body: closed({ user_id: UserId }),
  reply: Consent,
  example: { body: { user_id }, reply: consentExample },
});

export const getDriveToken = contract('POST /internal/storage-oauth/{provider}/token', {
  ...shared,
  name: 'getDriveToken',
  summary: 'An access token that is valid for at least a minute',
  description:
    'It is refreshed if need be, once however many ask. 409 `not_connected` if there is no consent or the provider has ended it, which the user is told by mail.',
  params: providerParams,
  body: closed({
    user_id: UserId,
    refused: Type.Optional(
      Type.String({ maxLength: 4096, description: 'A token that the drive did not accept: not this one' }),
    ),
  }),
  reply: Type.Object({ access_token: Type.String(), expires_at: NullableText }),
  errors: [404, 409, 503],
  example: {
    params,
    body: { user_id },
    reply: { access_token: 'ya29.a0AfH6SM', expires_at: consentExample.expires_at },
  },
});

export const keepDriveTokens = contract('PUT /internal/storage-oauth/{provider}/tokens', {
  ...shared,
  name: 'keepDriveTokens',
  summary: 'Keep the tokens that a desktop install got for its user',
  description: 'Tokens that are left out stay as they are. 409 `not_connected` if there are none.',
  params: providerParams,
  body: closed({
    user_id: UserId,
    access_token: Type.Optional(Token),
    refresh_token: Type.Optional(Token),
    expires_at: Type.Optional(
      Type.String({ format: 'date-time', maxLength: 40, description: 'When the access token ends' }),
    ),
  }),
  reply: Consent,
  errors: [404, 409],
  example: {
    params,
    body: { user_id, access_token: 'ya29.a0AfH6SM', refresh_token: '1//0eXyZ' },
    reply: { ...consentExample, expires_at: null },
  },
});

export const disconnectDrive = contract('POST /internal/storage-oauth/{provider}/disconnect', {
  ...shared,
  name: 'disconnectDrive',
  summary: "Delete a user's tokens here and revoke them at the provider",
  description: 'Repeated, it changes nothing.',
  params: providerParams,
  body: closed({ user_id: UserId }),
  reply: Consent,
  example: { params, body: { user_id }, reply: disconnectedExample },
});
