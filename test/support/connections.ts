import { Socket } from 'node:net';

/** Addresses that this process has connected to since, such as `127.0.0.1:5432`; `stop` ends the watch. */
export function watchConnections(): { made: string[]; stop(): void } {
  const made: string[] = [];
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function watched(this: Socket, ...given: unknown[]): Socket {
    made.push(addressOf(given));
    return Reflect.apply(connect, this, given);
  };
  return {
    made,
    stop() {
      Socket.prototype.connect = connect;
    },
  };
}

/** The arguments are those of `net.connect`, or the list that it makes of them. */
function addressOf(given: readonly unknown[]): string {
  const [first, second] = given.flat();
  if (typeof first !== 'object' || first === null) return `${second ?? 'localhost'}:${first}`;
  const { host, port, path } = first as { host?: string; port?: number; path?: string };
  return path ?? `${host ?? 'localhost'}:${port}`;
}
