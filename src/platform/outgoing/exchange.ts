import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Outgoing } from './outgoing.ts';

export interface OutgoingRequest {
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array | Readable;
}

export interface ExchangeLimits {
  /** From the last byte sent until the head of the reply. */
  answerMs: number;
  /** While bytes are sent or received. */
  silenceMs: number;
  signal?: AbortSignal;
}

/**
 * Resolves with the head of the reply. Redirects are not followed. Rejects as Node's client does; the body fails if the
 * other side breaks off or falls silent.
 */
export function exchange(
  outgoing: Outgoing,
  address: string,
  { method, headers, body }: OutgoingRequest,
  { answerMs, silenceMs, signal }: ExchangeLimits,
): Promise<http.IncomingMessage> {
  const url = new URL(address);
  const isSecure = url.protocol === 'https:';
  const send = isSecure ? https.request : http.request;
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method,
      agent: isSecure ? outgoing.httpsAgent : outgoing.httpAgent,
      headers: { ...headers, ...(body !== undefined && !(body instanceof Readable) && lengthOf(body)) },
      ...(signal && { signal }),
    });
    let deadline: NodeJS.Timeout | undefined;
    const silent = () => request.destroy(new Error(`no answer within ${answerMs} ms`));
    request.setTimeout(silenceMs, () => request.destroy(new Error(`silent for ${silenceMs} ms`)));
    request.on('finish', () => {
      deadline = setTimeout(silent, answerMs);
    });
    request.on('close', () => {
      clearTimeout(deadline);
      reject(new Error('the connection was closed without an answer'));
    });
    request.on('response', (response) => {
      clearTimeout(deadline);
      resolve(response);
    });
    request.on('error', reject);
    if (body instanceof Readable) pipeline(body, request).catch((error: Error) => request.destroy(error));
    else request.end(body);
  });
}

const lengthOf = (body: string | Uint8Array) => ({ 'content-length': String(Buffer.byteLength(body)) });

/** Decompressed if necessary. */
export function bodyOf(response: http.IncomingMessage): Readable {
  if (response.headers['content-encoding'] !== 'gzip') return response;
  const unpacked = createGunzip();
  pipeline(response, unpacked).catch(() => {});
  return unpacked;
}
