import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { S3Place } from '../../platform/blobs/blobs.ts';
import { isSameLocation } from './sealed-place.ts';

const at = (endpoint: string, bucket = 'worlds'): S3Place => ({
  ...{ provider: 's3', bucket, endpoint, access_key: 'a', secret_key: 'b', path_style: true },
});

test('an address is the same however it is spelled', () => {
  const plain = at('https://objects.example.com');
  for (const spelling of ['https://objects.example.com/', 'https://Objects.Example.com:443'])
    assert.ok(isSameLocation(plain, at(spelling)), spelling);
  for (const other of ['http://objects.example.com', 'https://objects.example.com/a', 'https://example.com'])
    assert.ok(!isSameLocation(plain, at(other)), other);
  assert.ok(!isSameLocation(plain, at('https://objects.example.com', 'others')));
});
