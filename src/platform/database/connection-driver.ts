import type { DatabaseConnection, Driver } from 'kysely';

/** A driver that runs everything on one connection. Transactions are begun by the write queue, never by Kysely. */
export function connectionDriver(connection: DatabaseConnection): Driver {
  const refuse = () => Promise.reject(new Error('transactions are the write queue’s'));
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: async () => {},
  };
}
