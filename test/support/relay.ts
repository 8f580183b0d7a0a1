import net from 'node:net';
import type { TestContext } from 'node:test';
import { freePort } from '../../src/cli/cloud/programs.ts';

/**
 * A port that passes bytes on to a server, or holds them back, or is closed. Stranded connections hear nothing any more, as
 * after a failover, while new ones work.
 */
export async function startRelay(t: Pick<TestContext, 'after'>, target: string) {
  const { hostname, port } = new URL(target);
  const sockets = new Set<net.Socket>();
  let frozen = false;
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(port), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      if (frozen) from.pause();
      from.on('data', (bytes) => to.write(bytes));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  // Reserved, so that nobody else gets its port while it is closed.
  const own = await freePort();
  await listen(own);
  const down = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
    });
  t.after(down);
  const url = new URL(target);
  url.host = `127.0.0.1:${own}`;
  return {
    url: url.href,
    down,
    up: () => listen(own),
    /** Returns a function that ends the stranded connections, as a server does that has noticed. */
    strand: () => {
      const stranded = [...sockets];
      for (const socket of stranded) socket.pause();
      return () => {
        for (const socket of stranded) socket.destroy();
      };
    },
    freeze: (value: boolean) => {
      frozen = value;
      for (const socket of sockets) {
        if (frozen) socket.pause();
        else socket.resume();
      }
    },
  };
}
