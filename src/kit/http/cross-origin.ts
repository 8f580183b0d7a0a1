import type { FastifyRequest } from 'fastify';
import { forbidden } from '../errors.ts';
import { bearerOf } from './bearer.ts';

const HARMLESS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Throws 403 for a write that a page of another site makes a browser send with its cookies. A request with its own token
 * is not one of these, nor is one from a program, which sends no origin.
 */
export function refuseCrossOrigin(request: FastifyRequest, allowed: readonly string[]): void {
  if (HARMLESS.has(request.method) || bearerOf(request.headers) !== null) return;
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin !== undefined && allowed.includes(origin)) return;
  if (site === 'same-origin' || site === 'none') return;
  const isOwn = origin === undefined ? site === undefined : hostOf(origin) === request.host;
  if (isOwn) return;
  throw forbidden('This request comes from the page of another site (setting CORS_ORIGINS)', {
    code: 'cross_origin',
  });
}

const hostOf = (origin: string): string | undefined => URL.parse(origin)?.host;
