import { ClientError } from '../../client/error.ts';

/** The service answered with this status, and with this code if one is given. */
export const isRefusal = (error: unknown, status: number, code?: string): error is ClientError =>
  error instanceof ClientError && error.status === status && (code === undefined || error.code === code);

const GATEWAY_STATUSES: readonly number[] = [502, 503, 504];

/**
 * True where the request did not reach the service: browsers reject it with a TypeError, and a proxy before the service
 * answers in its place, with a page of its own or with the edge's codes.
 */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof TypeError ||
  (error instanceof ClientError &&
    GATEWAY_STATUSES.includes(error.status) &&
    (error.code === undefined || error.code.startsWith('upstream_')));

/** An operation that the service took has changed nothing. The message is its reason, in the service's words. */
export class OperationFailed extends Error {
  override name = 'OperationFailed';
}

/** The message of the service, which is written for people; null where the service was not reached. */
export function detailOf(error: unknown): string | null {
  if (error instanceof OperationFailed) return error.message;
  return error instanceof ClientError ? error.detail : null;
}

/** The service's own name for the reason; null without one. */
export const codeOf = (error: unknown): string | null =>
  error instanceof ClientError ? (error.code ?? null) : null;

/** The service's messages about single values, by the names of these. */
export const fieldErrorsOf = (error: unknown): ReadonlyMap<string, string> =>
  new Map(error instanceof ClientError ? error.errors.map(({ field, message }) => [field, message]) : []);
