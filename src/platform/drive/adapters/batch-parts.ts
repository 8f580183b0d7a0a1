import type { IncomingMessage } from 'node:http';
import { randomToken } from '../../../kit/crypto.ts';
import { parsed } from './answers.ts';
import type { Sent } from './drive-call.ts';

export interface BatchPart {
  /** Given in the request, and back with the answer. */
  index: number;
  status: number;
  /** As far as it is JSON. */
  body: unknown;
}

/** One POST request for each body, all to one path. */
export function batchOf(path: string, bodies: readonly { index: number; body: object }[]): Sent {
  const boundary = randomToken();
  const parts = bodies.map(({ index, body }) =>
    [
      `--${boundary}`,
      'Content-Type: application/http',
      `Content-ID: <item-${index}>`,
      '',
      `POST ${path} HTTP/1.1`,
      'Content-Type: application/json; charset=UTF-8',
      '',
      JSON.stringify(body),
      '',
    ].join('\r\n'),
  );
  return {
    headers: { 'content-type': `multipart/mixed; boundary=${boundary}` },
    body: `${parts.join('')}--${boundary}--\r\n`,
  };
}

/** Those that were understood. */
export function partsOf({ headers }: IncomingMessage, text: string): BatchPart[] {
  const [, boundary] = /boundary="?([^";]+)/i.exec(headers['content-type'] ?? '') ?? [];
  if (boundary === undefined) return [];
  return text.split(`--${boundary}`).flatMap((part) => {
    // The part's own head, the head of the answer in it, and that answer's body.
    const [head = '', inner = '', ...body] = part.split(/\r?\n\r?\n/);
    const [, index] = /^content-id:\s*<?response-item-(\d+)>?/im.exec(head) ?? [];
    const [, status] = /^\s*HTTP\/\d\S* (\d{3})/.exec(inner) ?? [];
    if (index === undefined || status === undefined) return [];
    return [{ index: Number(index), status: Number(status), body: parsed(body.join('\n\n')) }];
  });
}
