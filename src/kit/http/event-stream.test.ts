import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { test } from 'node:test';
import { conflict } from '../errors.ts';
import { type EventSource, eventStream, wantsEvents } from './event-stream.ts';

const failures: unknown[] = [];
const streamed = (run: EventSource): Readable =>
  eventStream(run, { onFailure: (error) => failures.push(error) }).body as Readable;

const textOf = async (stream: Readable): Promise<string> => {
  let text = '';
  for await (const part of stream) text += part;
  return text;
};

test('events are sent in order, each as one block', async () => {
  const text = await textOf(
    streamed(async (send) => {
      await send('delta', { text: 'two\nlines' });
      await send('usage', { input_tokens: 3 });
    }),
  );
  assert.equal(
    text,
    'event: delta\ndata: {"text":"two\\nlines"}\n\nevent: usage\ndata: {"input_tokens":3}\n\n',
  );
});

test('a refusal is the last event, with its code; an unexpected error is told without its message', async () => {
  const refused = await textOf(
    streamed(async () => {
      throw conflict('No provider is set up', { code: 'ai_not_configured' });
    }),
  );
  assert.equal(
    refused,
    'event: error\ndata: {"detail":"No provider is set up","status":409,"code":"ai_not_configured"}\n\n',
  );
  const error = new Error('password=tide');
  const failed = await textOf(
    streamed(async () => {
      throw error;
    }),
  );
  assert.match(failed, /^event: error\ndata: \{"detail":"Something went wrong here/);
  assert.doesNotMatch(failed, /tide/);
  assert.deepEqual(failures, [error]);
});

test('work stops when the caller goes', async () => {
  const stopped = Promise.withResolvers<unknown>();
  const stream = streamed(async (send, signal) => {
    await send('delta', {});
    await once(signal, 'abort');
    stopped.resolve(await send('delta', {}).catch((error: unknown) => error));
  });
  await once(stream, 'readable');
  stream.destroy();
  assert.match(String(await stopped.promise), /the caller has gone/);
});

test('a slow reader holds the sender back', async () => {
  let sent = 0;
  const stream = streamed(async (send) => {
    for (; sent < 200; sent += 1) await send('delta', { text: 'x'.repeat(1_000) });
  });
  await once(stream, 'readable');
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(sent < 200, `${sent} were sent unread`);
  assert.equal((await textOf(stream)).match(/event: delta/g)?.length, 200);
});

test('only a caller who asks for events gets them', () => {
  const asks = (accept?: string) => wantsEvents({ headers: { accept } });
  assert.deepEqual(
    [asks('application/json'), asks('text/event-stream'), asks('*/*'), asks()],
    [false, true, false, false],
  );
});
