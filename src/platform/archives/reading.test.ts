import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { createGunzip, createInflateRaw, deflateRawSync, gzipSync } from 'node:zlib';
import { readFrom } from './reading.ts';

test('data that is cut off is an error, even if it ends before somebody reads it', async () => {
  const inflate = createInflateRaw();
  const closed = new Promise((resolve) => inflate.on('close', resolve));
  const packed = Readable.from([deflateRawSync(Buffer.from('evil')).subarray(0, 3)]);
  const late = readFrom(
    (reader) => pipeline(packed, inflate, reader),
    async (bytes) => {
      await closed;
      for await (const _ of bytes) assert.fail('nothing was unpacked');
    },
  );
  await assert.rejects(late, { code: 'Z_BUF_ERROR' });
});

test('a reader that stops ends what feeds it, and its error is told', async () => {
  const packed = Readable.from([gzipSync(Buffer.alloc(50_000_000))]);
  const stopped = new Error('enough');
  const early = readFrom(
    (reader) => pipeline(packed, createGunzip(), reader),
    async (bytes) => {
      await bytes[Symbol.asyncIterator]().next();
      throw stopped;
    },
  );
  await assert.rejects(early, stopped);
  assert.ok(packed.destroyed);
});

test('it waits for the reader when the source fails', async () => {
  const failed = new Error('no such disk');
  const steps: string[] = [];
  async function* broken(): AsyncGenerator<Buffer> {
    yield gzipSync('good').subarray(0, 5);
    throw failed;
  }
  const gunzip = createGunzip();
  const closed = new Promise((resolve) => gunzip.on('close', resolve));
  const unread = readFrom(
    (reader) => pipeline(broken(), gunzip, reader),
    async () => {
      await closed;
      await new Promise(setImmediate);
      steps.push('reader ended');
    },
  );
  await assert.rejects(unread, failed);
  assert.deepEqual(steps, ['reader ended']);
});
