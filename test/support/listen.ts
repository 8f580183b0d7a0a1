import type { FastifyInstance } from 'fastify';

/** Listens on a free port; resolves to the address. */
export const listen = ({ app }: { app: FastifyInstance }): Promise<string> =>
  app.listen({ host: '127.0.0.1', port: 0 });
