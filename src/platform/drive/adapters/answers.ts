import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { BodyTooLarge, readBounded } from '../../../kit/http/bounded-body.ts';
import { isMap, type JsonMap } from '../../../text/json.ts';
import { bodyOf } from '../../outgoing/exchange.ts';
import { DriveError } from '../drive.ts';

const MOST_BYTES = 16 * 1024 * 1024;

const notUnderstood = (cause?: unknown) =>
  new DriveError('unavailable', "Google Drive's answer was not understood. Try again later", { cause });

/** Rejects with `DriveError` if it is too long, and as the answer does if it breaks off. */
export async function readText(answer: IncomingMessage): Promise<string> {
  try {
    const body = await readBounded(bodyOf(answer), MOST_BYTES);
    return body?.toString() ?? '';
  } catch (error) {
    throw error instanceof BodyTooLarge ? notUnderstood(error) : error;
  }
}

export async function readJson(answer: IncomingMessage): Promise<JsonMap> {
  return understood(parsed(await readText(answer)));
}

export function understood(value: unknown): JsonMap {
  if (isMap(value)) return value;
  throw notUnderstood();
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The bytes of an answer; a `DriveError` if they break off. Only a reader that waits makes silence count. */
export function contentOf(answer: IncomingMessage, silenceMs: number): Readable {
  let timer: NodeJS.Timeout | undefined;
  const heard = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const fail = (cause: unknown) =>
    content.destroy(
      new DriveError('unavailable', 'Google Drive broke off the transfer. Try again later', { cause }),
    );
  const content = new Readable({
    read() {
      timer ??= setTimeout(() => fail(new Error(`silent for ${silenceMs} ms`)), silenceMs);
      answer.resume();
    },
    destroy(error, done) {
      heard();
      answer.destroy();
      done(error);
    },
  });
  // A caller that fails before it reads listens to nothing, and an error that nobody hears ends the process.
  content.on('error', () => {});
  answer.setTimeout(0);
  answer.pause();
  answer.on('data', (chunk: Buffer) => {
    heard();
    if (!content.push(chunk)) answer.pause();
  });
  answer.on('end', () => {
    heard();
    content.push(null);
  });
  answer.on('error', fail);
  return content;
}
