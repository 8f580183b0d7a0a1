import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGunzip, createInflateRaw, deflateRawSync, gzipSync } from 'node:zlib';
import { through } from './inflating.ts';

async function* piecesOf(...pieces: Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces;
}

test('data that is cut off is damaged, even if it ends before somebody reads it', async () => {
  const inflate = createInflateRaw();
  const closed = new Promise((resolve) => inflate.on('close', resolve));
  const packed = piecesOf(deflateRawSync(Buffer.from('evil')).subarray(0, 3));
  const late = through(packed, inflate, async (bytes) => {
    await closed;
    for await (const _ of bytes) assert.fail('nothing was unpacked');
  });
  await assert.rejects(late, { name: 'ArchiveError', code: 'damaged' });
});

test('a reader that stops ends what feeds it, and its error is told', async () => {
  const packed = gzipSync(Buffer.alloc(50_000_000));
  const stopped = new Error('enough');
  const early = through(piecesOf(packed), createGunzip(), async (bytes) => {
    await bytes[Symbol.asyncIterator]().next();
    throw stopped;
  });
  await assert.rejects(early, stopped);
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
  const unread = through(broken(), gunzip, async () => {
    await closed;
    await new Promise(setImmediate);
    steps.push('reader ended');
  });
  await assert.rejects(unread, failed);
  assert.deepEqual(steps, ['reader ended']);
});
