import { BodyTooLarge } from '../../../kit/http/bounded-body.ts';
import { TooSlow } from '../../../platform/outgoing/downloads.ts';
import { ADDRESS_REFUSED } from '../../../platform/outgoing/outgoing.ts';

/** For everybody who may see the catalog: it names no address that they could not know. */
export function reasonOf(error: unknown): string {
  if (error instanceof TooSlow) return `there was no whole answer within ${error.withinMs / 1_000} seconds`;
  if (error instanceof BodyTooLarge) return error.message;
  const isRefused = error instanceof Error && 'code' in error && error.code === ADDRESS_REFUSED;
  return isRefused ? error.message : 'the connection failed';
}
