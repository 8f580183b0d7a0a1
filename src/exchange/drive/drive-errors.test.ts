import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DriveError, type DriveErrorCode } from '../../platform/drive/drive.ts';
import { driveFailure } from './drive-errors.ts';

const UPGRADE_URL = 'https://canonry.example.com/api/auth/oauth/google/drive';

test('each failure of a drive has its own answer', () => {
  const answers: Record<DriveErrorCode, [status: number, code: string]> = {
    revoked: [409, 'not_connected'],
    scope: [403, 'insufficient_scope'],
    forbidden: [403, 'drive_forbidden'],
    not_found: [404, 'no_such_file'],
    exists: [409, 'file_exists'],
    invalid_token: [400, 'invalid_page_token'],
    quota: [409, 'quota_exceeded'],
    limited: [503, 'drive_limited'],
    refused: [422, 'drive_refused'],
    unavailable: [503, 'drive_unavailable'],
  };
  for (const [code, answer] of Object.entries(answers)) {
    const failure = driveFailure(new DriveError(code as DriveErrorCode, 'It says why'), UPGRADE_URL);
    assert.deepEqual([failure.status, failure.extras.code], answer, code);
    const isToConsent = ['not_connected', 'insufficient_scope'].includes(answer[1]);
    assert.deepEqual(failure.extras.body, isToConsent ? { upgrade_url: UPGRADE_URL } : undefined, code);
  }
});

test('a caller is asked to wait as long as the drive asks for, or half a minute', () => {
  const waitOf = (error: DriveError) => driveFailure(error, UPGRADE_URL).extras.headers;
  assert.deepEqual(waitOf(new DriveError('limited', 'Slow down', { retryAfter: 7 })), { 'retry-after': '7' });
  assert.deepEqual(waitOf(new DriveError('unavailable', 'Down')), { 'retry-after': '30' });
});
