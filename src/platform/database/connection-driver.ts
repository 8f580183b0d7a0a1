import { CompiledQuery, type DatabaseConnection, type Driver } from 'kysely';
import type { Executor } from './dialect.ts';

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

/** Runs the text of a query. */
export const run = <Row>(db: Executor, text: string, ...parameters: unknown[]) =>
  db.executeQuery<Row>(CompiledQuery.raw(text, parameters) as CompiledQuery<Row>);
