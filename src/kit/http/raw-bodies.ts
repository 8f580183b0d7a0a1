import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Contract } from '../contract.ts';
import { HttpError, tooLarge } from '../errors.ts';

export async function acceptRawBodies(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

const ANY_TYPE = '*/*';

/** 415 for a media type that the route does not accept, 413 for a body whose stated length is over the limit. */
export function checkRawBody({ stream, bodyLimit }: Contract, { headers }: FastifyRequest): void {
  const wanted = stream?.mediaType;
  const given = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (given === undefined && !hasBody && stream?.isOptional) return;
  if (wanted !== ANY_TYPE && given !== wanted)
    throw new HttpError(415, `Send the body as Content-Type: ${wanted}`);
  if (Number(headers['content-length'] ?? 0) > bodyLimit) throw bodyTooLarge(bodyLimit);
}

/** The whole body; 413 as soon as there is more of it than the route takes. A body may come without its length. */
export async function readRawBody(
  { bodyLimit }: Contract,
  stream: Readable | null,
): Promise<Buffer<ArrayBuffer>> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream ?? []) {
    size += part.length;
    if (size > bodyLimit) throw bodyTooLarge(bodyLimit);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const bodyTooLarge = (most: number) =>
  tooLarge(`The request body is larger than the ${most} bytes that this route takes`, { code: 'too_large' });
