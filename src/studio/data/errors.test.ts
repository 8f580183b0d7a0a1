import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientError } from '../../client/error.ts';
import { isUnreachable } from './errors.ts';

test('answers of proxies in place of the service count as no answer, its own refusals do not', () => {
  assert.ok(isUnreachable(new TypeError('Failed to fetch')));
  assert.ok(isUnreachable(new ClientError(502, 'The service answered 502 Bad Gateway')));
  assert.ok(isUnreachable(new ClientError(503, 'The core service …', { code: 'upstream_unavailable' })));
  assert.ok(!isUnreachable(new ClientError(503, 'Its disk is away', { code: 'storage_away' })));
  assert.ok(!isUnreachable(new ClientError(500, 'The service answered 500')));
});
