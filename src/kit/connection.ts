/** An open WebSocket, as the routes that take one see it. Its messages are texts; it ends by itself when the peer vanishes. */
export interface Connection {
  send(text: string): void;
  /** Bytes that wait for a slow reader. */
  waiting(): number;
  /** A reason stays below 123 bytes. */
  close(code: number, reason: string): void;
  onMessage(listener: (text: string) => void): void;
  onClose(listener: () => void): void;
}

/** What came with the request for a connection. */
export interface ConnectRequest {
  query: Readonly<Record<string, string | undefined>>;
  /** Of `Authorization: Bearer`, which browsers cannot send here. */
  bearer: string | null;
}

/** Why a connection was closed (those from 4000 on are ours). */
export const CLOSE = {
  goingAway: 1001,
  policy: 1008,
  tryLater: 1013,
  unauthenticated: 4401,
  notFound: 4404,
  tooMany: 4429,
} as const;
