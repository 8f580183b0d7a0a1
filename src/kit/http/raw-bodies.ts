import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Contract } from '../contract.ts';
import { HttpError, tooLarge } from '../errors.ts';

export async function acceptRawBodies(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/** 415 for a media type that the route does not accept, 413 for a body whose stated length is over the limit. */
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
