import { CLOSE, type Connection, type ConnectRequest } from '../../kit/connection.ts';
import { createSocketSession, type SessionTools, type SocketSession } from './socket-session.ts';

/** Per user and process: room for many tabs and devices, but bounded. */
const MOST_A_PERSON = 50;
const MOST_IN_ALL = 10_000;
/** With the token cache's delay, lost access ends a connection within 5 seconds. */
const RECHECK_EVERY_MS = 1_000;

export function createSockets(tools: Omit<SessionTools, 'admit' | 'dismiss'>) {
  const sessions = new Set<SocketSession>();
  const counts = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  function admit(userId: string): boolean {
    const count = counts.get(userId) ?? 0;
    if (count >= MOST_A_PERSON) return false;
    counts.set(userId, count + 1);
    return true;
  }

  function dismiss(userId: string): void {
    const left = (counts.get(userId) ?? 1) - 1;
    if (left === 0) counts.delete(userId);
    else counts.set(userId, left);
  }

  return {
    open(connection: Connection, request: ConnectRequest): void {
      if (sessions.size >= MOST_IN_ALL) {
        connection.close(CLOSE.tryLater, 'too many connections: try again later');
        return;
      }
      const session = createSocketSession(connection, request, { ...tools, admit, dismiss });
      sessions.add(session);
      connection.onClose(() => sessions.delete(session));
    },
    start(): void {
      timer = setInterval(() => {
        for (const session of sessions) void session.recheck();
      }, RECHECK_EVERY_MS).unref();
    },
    stop: () => clearInterval(timer),
  };
}

export type Sockets = ReturnType<typeof createSockets>;
