import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Contract } from '../contract.ts';
import { HttpError, tooLarge } from '../errors.ts';

/** Makes a scope's routes take bodies as they come; nothing of them is read before the handler does. */
export async function acceptRawBodies(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/** 415 for another media type than the route takes, 413 for a body that says it is too large. */
export function checkRawBody({ stream, bodyLimit }: Contract, { headers }: FastifyRequest): void {
  const wanted = stream?.mediaType;
  const given = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (given === undefined && !hasBody && stream?.isOptional) return;
  if (given !== wanted) throw new HttpError(415, `Send the body as Content-Type: ${wanted}`);
  if (Number(headers['content-length'] ?? 0) > bodyLimit)
    throw tooLarge(`The request body is larger than the ${bodyLimit} bytes that this route takes`, {
      code: 'too_large',
    });
}
