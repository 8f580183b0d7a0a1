import type { FastifyRequest } from 'fastify';
import { forbidden } from '../errors.ts';

const HARMLESS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Throws 403 for a write that another site's page makes a browser send, cookies and all. A request with a token of its
 * own is none of these, nor is one from a program, which says nothing of where it comes from.
 */
export function refuseCrossOrigin(request: FastifyRequest, allowed: readonly string[]): void {
  if (HARMLESS.has(request.method) || request.headers.authorization !== undefined) return;
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
