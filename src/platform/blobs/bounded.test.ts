import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { it } from 'node:test';
import { withCode } from './blobs.conformance.ts';
import { BlobsError } from './blobs.ts';
import { boundedStream, withDeadline } from './bounded.ts';

const explain = (cause: unknown) => new BlobsError('denied', 'explained', { cause });
const bounded = (source: Readable, length: number, answerMs = 10_000) =>
  boundedStream(source, { length, answerMs, explain });

it('passes on what has the length that was said', async () => {
  const bytes = Buffer.from('0123456789');
  assert.deepEqual(await buffer(bounded(Readable.from([bytes, bytes]), 20)), Buffer.concat([bytes, bytes]));
});

it('fails at an end that comes too early or too late', async () => {
  const bytes = Buffer.from('0123456789');
  for (const length of [9, 11])
    await assert.rejects(buffer(bounded(Readable.from([bytes]), length)), withCode('unavailable'));
});

it('fails with the store’s own errors, and when nothing comes', async () => {
  const failing = new Readable({ read: () => failing.destroy(new Error('a secret')) });
  await assert.rejects(buffer(bounded(failing, 1)), withCode('denied'));
  const silent = new Readable({ read: () => {} });
  await assert.rejects(buffer(bounded(silent, 1, 20)), withCode('unavailable'));
  assert.ok(silent.destroyed);
});

it('ends a call by its signal, and only a late one', async () => {
  const waiting = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
  await assert.rejects(withDeadline(20, waiting), withCode('unavailable'));
  await assert.rejects(
    withDeadline(10_000, async () => Promise.reject(new Error('other'))),
    { message: 'other' },
  );
  assert.equal(await withDeadline(10_000, async () => 'done'), 'done');
});
