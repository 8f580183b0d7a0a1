import type { Socket } from 'node:net';
import { endWith } from './end-with.ts';

const ANSWERS: Readonly<Record<string, { line: string; detail: string }>> = {
  HPE_HEADER_OVERFLOW: {
    line: '431 Request Header Fields Too Large',
    detail: 'The address and headers of the request are larger than this server takes',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    line: '408 Request Timeout',
    detail: 'The request did not arrive in time: send it again',
  },
};
const MALFORMED = { line: '400 Bad Request', detail: 'This is not a readable HTTP request' };

/** The final reply on a connection whose bytes are no request. No route is known yet, so it is written by hand. */
export function answerUnreadableRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { line, detail } = ANSWERS[error.code ?? ''] ?? MALFORMED;
  const body = JSON.stringify({ detail });
  endWith(
    socket,
    `HTTP/1.1 ${line}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
