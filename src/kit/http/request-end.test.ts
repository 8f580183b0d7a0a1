import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { Reply } from '../route.ts';
import { createRequestEnd } from './request-end.ts';

function listened() {
  const request = createRequestEnd();
  const told: string[] = [];
  request.onEnd(() => told.push('over'));
  return { ...request, told };
}

test('a request is over once with its handler, whatever that answered', () => {
  for (const result of [{ total: 3 }, new Reply(Buffer.from('bytes')), undefined]) {
    const { answered, told } = listened();
    assert.deepEqual(told, []);
    answered(result);
    assert.deepEqual(told, ['over']);
  }
});

test('one that answers with a stream is over when the stream is, read or given up', async () => {
  const read = listened();
  const stream = Readable.from(['one', 'two']);
  read.answered(new Reply(stream));
  assert.deepEqual(read.told, []);
  const closed = once(stream, 'close');
  await stream.toArray();
  await closed;
  assert.deepEqual(read.told, ['over']);

  const left = listened();
  const other = Readable.from(['one', 'two']);
  left.answered(new Reply(other));
  other.destroy();
  await once(other, 'close');
  assert.deepEqual(left.told, ['over']);
});
