import { hash } from 'node:crypto';
import { randomToken, sha256Hex } from '../../kit/crypto.ts';
import { createSecretBox } from '../../kit/secret-box.ts';
import type { KeyValue } from '../../platform/kv/kv.ts';

export const TICKET_SECONDS = 30;

export type Tickets = ReturnType<typeof createTickets>;

/**
 * Replace tokens in WebSocket addresses, which logs record. Single-use and short-lived; the stored token is sealed with the
 * ticket.
 */
export function createTickets(keyValue: Pick<KeyValue, 'set' | 'take'>) {
  const keyOf = (ticket: string) => `ws-ticket:${sha256Hex(`name of ${ticket}`)}`;
  const boxOf = (ticket: string) => createSecretBox(hash('sha256', `key of ${ticket}`, 'buffer'));
  return {
    async make(token: string): Promise<string> {
      const ticket = randomToken();
      const sealed = boxOf(ticket).seal(token, 'ws ticket');
      await keyValue.set(keyOf(ticket), sealed, { ttlMs: TICKET_SECONDS * 1_000 });
      return ticket;
    },
    /** Null if the ticket is unknown, used or expired. */
    async take(ticket: string): Promise<string | null> {
      const sealed = await keyValue.take(keyOf(ticket));
      return sealed === undefined ? null : boxOf(ticket).open(sealed, 'ws ticket');
    },
  };
}
